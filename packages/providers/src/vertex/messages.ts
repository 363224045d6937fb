import { asksModelOnly } from '../anthropic/hosted.ts'
import { fieldsOf } from '../json.ts'
import type { PassThrough } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { modelUrl, publisherOf } from './url.ts'

export const VERTEX_VERSION = 'vertex-2023-10-16'

/**
 * Claude on Vertex speaks Anthropic's Messages at Google's URLs: requests pass through with every kind of block. Content
 * given by URL is fetched here, because Google's host does not fetch it.
 */
export const claudeMessages = (
  headers: (access: Access) => Record<string, string>,
): PassThrough<'messages' | 'messages/count_tokens'> => ({
  url(operation, access, model, stream = false) {
    if (operation !== 'messages' || publisherOf(model) !== 'anthropic') return undefined
    return modelUrl(access, { model, action: stream ? 'streamRawPredict' : 'rawPredict' })
  },
  headers,
  takes: asksModelOnly,
  amend(_, body) {
    const { model: _model, ...rest } = fieldsOf(JSON.parse(body))
    return JSON.stringify({ anthropic_version: VERTEX_VERSION, ...rest })
  },
})
