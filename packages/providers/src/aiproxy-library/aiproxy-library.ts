import { z } from 'zod'
import type { ChatPart } from '../chat.ts'
import type { ChatAdapter } from '../chat-adapter.ts'
import { lastQuestion } from '../content.ts'
import { endingAtMark } from '../end-mark.ts'
import { failureOf, VendorError } from '../failure.ts'
import { parseVendor, parseVendorJson } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { MODEL_SETTINGS, refuseUnsupported, type Unsupported } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'

/** A library answers a single question; everything else is configured at AI Proxy. */
const unsupported: Unsupported = {
  refuse: ['audio', 'n', 'logprobs', 'stop', 'tools', 'response_format', 'image_url', 'input_audio', 'file'],
  drop: MODEL_SETTINGS,
}

const chat: ChatAdapter = {
  framing: 'sse',
  encode(request, access) {
    refuseUnsupported('AI Proxy', unsupported, request)
    return postJson(
      `${access.baseUrl}/api/library/ask`,
      { authorization: `Bearer ${access.key}` },
      {
        model: request.model,
        query: lastQuestion(request.messages),
        libraryId: libraryId(access),
        stream: request.stream,
      },
    )
  },
  decode,
  streamDecoder,
}

/** A knowledge base at AI Proxy. */
export const aiproxyLibrary: Provider = {
  name: 'aiproxy-library',
  baseUrl: 'https://api.aiproxy.io',
  unsupported,
  chat,
  explain: explainOpenAi,
}

function libraryId({ config, other }: Access) {
  const id = config.library_id || other
  if (id !== '') return id
  throw new VendorError(
    failureOf('auth', 'This AI Proxy channel has no knowledge base id', { code: 'missing_library_id' }),
  )
}

const Documents = z.array(z.object({ title: z.string().nullish(), url: z.string().nullish() })).nullish()
const Whole = z.object({ answer: z.string().nullish(), documents: Documents })
const Piece = z.object({
  content: z.string().nullish(),
  finish: z.boolean().default(false),
  model: z.string().default(''),
  documents: Documents,
})
const Refused = z.object({ success: z.literal(false), message: z.string().default('') })

function decode(body: unknown): ChatPart[] {
  throwFailure(body)
  const { answer, documents } = parseVendor(Whole, body)
  return [
    { type: 'start', id: '', model: '' },
    ...textParts(answer),
    ...citationParts(documents),
    { type: 'finish', choice: 0, reason: 'stop' },
  ]
}

function streamDecoder(): ReturnType<ChatAdapter['streamDecoder']> {
  let started = false
  return endingAtMark(({ data }) => {
    const event = parseVendorJson(data)
    throwFailure(event)
    const { content, finish, model, documents } = parseVendor(Piece, event)
    const parts: ChatPart[] = started ? [] : [{ type: 'start', id: '', model }]
    started = true
    parts.push(...textParts(content), ...citationParts(documents))
    if (finish) parts.push({ type: 'finish', choice: 0, reason: 'stop' })
    return parts
  })
}

function throwFailure(body: unknown) {
  const refused = Refused.safeParse(body).data
  if (refused !== undefined)
    throw new VendorError(failureOf('server', refused.message || 'AI Proxy refused the question'))
}

const textParts = (text: string | null | undefined): ChatPart[] => (text ? [{ type: 'text', choice: 0, text }] : [])

const citationParts = (documents: z.infer<typeof Documents>): ChatPart[] =>
  (documents ?? []).flatMap(({ url, title }): ChatPart[] =>
    url ? [{ type: 'citation', choice: 0, url, ...(title ? { title } : {}) }] : [],
  )
