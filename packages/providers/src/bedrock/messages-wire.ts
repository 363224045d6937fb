import { asksModelOnly, hasToolAtAnthropic } from '../anthropic/hosted.ts'
import { fieldsOf } from '../json.ts'
import type { PassThrough } from '../provider.ts'
import { isClaude, modelUrl } from './model.ts'
import { credentialsOf, signed } from './sign.ts'

const VERSION = 'bedrock-2023-05-31'

/**
 * Claude on Bedrock takes Anthropic's Messages through `invoke`, with every kind of block; version and betas go into the
 * body. It lacks Anthropic's server tools and does not fetch URLs.
 */
export const claudeMessages: PassThrough<'messages' | 'messages/count_tokens'> = {
  url(operation, access, model, stream = false) {
    if (operation !== 'messages' || !isClaude(model)) return undefined
    return modelUrl(model, stream ? 'invoke-with-response-stream' : 'invoke', access, credentialsOf(access))
  },
  headers: () => ({}),
  takes: (body) => asksModelOnly(body) && !hasToolAtAnthropic(body),
  amend(_, body) {
    const { model: _model, stream: _stream, ...rest } = fieldsOf(JSON.parse(body))
    return JSON.stringify({ anthropic_version: VERSION, ...rest })
  },
  finish({ url, headers, body }, access, nowMs) {
    const previews = (headers['anthropic-beta'] ?? '').split(',').flatMap((name) => name.trim() || [])
    const text = typeof body === 'string' ? body : '{}'
    const sent =
      previews.length === 0 ? text : JSON.stringify({ ...fieldsOf(JSON.parse(text)), anthropic_beta: previews })
    return signed({ url, body: sent, nowMs }, credentialsOf(access))
  },
}
