import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { ChatPart, ChatRequest } from '../chat.ts'
import type { ChatAdapter, EncodeContext, StreamEvent } from '../chat-adapter.ts'
import { collect } from '../collect.ts'
import { type UpstreamFailure, VendorError } from '../failure.ts'
import type { Provider } from '../provider.ts'
import type { Access, Encoded } from '../upstream-request.ts'

/* Shared by the vendor tests: a request, a channel, the context of a call, and the recordings. */

export const ENCODE_CONTEXT: EncodeContext = { nowMs: 1_767_225_600_000, callId: 'call-1' }

export const aRequest = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'a-model',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  extra: {},
  ...more,
})

export const anAccess = (more: Partial<Access> = {}): Access => ({
  type: 0,
  baseUrl: 'https://vendor.example',
  key: 'the-key',
  other: '',
  config: {},
  ...more,
})

/** A channel with every setting that a vendor may need. */
export const FULL_ACCESS = anAccess({
  key: 'one|two|three',
  other: 'v3.5',
  config: {
    user_id: 'user',
    library_id: 'library',
    region: 'us-east-1',
    ak: 'ak',
    sk: 'sk',
    vertex_ai_project_id: 'project',
    vertex_ai_adc: JSON.stringify({ project_id: 'project', client_email: 'a@example.com', private_key: 'pem' }),
  },
})

/** A capability that this vendor must have. */
export function offered<Name extends keyof Provider>(provider: Provider, name: Name): NonNullable<Provider[Name]> {
  const capability = provider[name]
  if (capability === undefined || capability === null) throw new Error(`${provider.name} does not offer ${name}`)
  return capability
}

export async function encoded(adapter: ChatAdapter, request: Partial<ChatRequest> = {}, access: Partial<Access> = {}) {
  return withBody(adapter.encode(aRequest(request), anAccess(access), ENCODE_CONTEXT))
}

/** A request with its body read. */
export async function withBody(request: Encoded) {
  const { body, ...rest } = await request
  return { ...rest, body: typeof body === 'string' ? JSON.parse(body) : body }
}

/** A conversation with everything that most vendors support. */
export const CONVERSATION: ChatRequest['messages'] = [
  { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
  { role: 'developer', content: [{ type: 'text', text: 'Use tools.' }] },
  { role: 'user', content: [{ type: 'text', text: 'Weather in Paris?' }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' },
    ],
  },
  { role: 'tool', callId: 'call_1', content: [{ type: 'text', text: '{"celsius":21}' }] },
]

export const WEATHER: NonNullable<ChatRequest['tools']>[number] = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

export const PICTURE = { type: 'image', source: { mimeType: 'image/png', base64: 'iVBORw0KGgo=' } } as const

/** The recordings beside a test. */
export function fixturesOf(testUrl: string) {
  const read = (name: string) => readFileSync(new URL(`./fixtures/${name}`, testUrl), 'utf8')
  return {
    json: (name: string): unknown => JSON.parse(read(`${name}.json`)),
    sse: (name: string) => sseEvents(read(`${name}.sse`)),
    lines: (name: string) => lineEvents(read(`${name}.jsonl`)),
  }
}

/** The events of a recorded stream, as delivered by the framing. */
function sseEvents(text: string): StreamEvent[] {
  return text
    .split(/\n\n+/)
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith(':')))
    .filter((lines) => lines.length > 0)
    .map((lines) => ({
      event: fieldOf(lines, 'event').at(-1) ?? '',
      data: fieldOf(lines, 'data').join('\n'),
    }))
}

const lineEvents = (text: string): StreamEvent[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((data) => ({ event: '', data }))

const fieldOf = (lines: string[], name: string) =>
  lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : []))

export function decodeStream(adapter: ChatAdapter, events: readonly StreamEvent[]): ChatPart[] {
  const decode = adapter.streamDecoder()
  return events.flatMap((event) => decode(event))
}

/** The content of the parts, without ids that differ from call to call. */
export function contentOf(parts: readonly ChatPart[]) {
  const { choices, usage } = collect(parts)
  return {
    usage,
    choices: choices.map(({ blocks, ...choice }) => ({
      ...choice,
      blocks: blocks.map((block) =>
        block.type === 'tool-call' ? { ...block, id: block.id === '' ? '' : 'id' } : block,
      ),
    })),
  }
}

/** A stream may end after any event: what was decoded until then is a prefix of the whole. */
export function expectPrefixes(adapter: ChatAdapter, events: readonly StreamEvent[]) {
  const whole = decodeStream(adapter, events)
  for (const [count] of events.entries()) {
    const parts = decodeStream(adapter, events.slice(0, count))
    expect(whole.slice(0, parts.length)).toEqual(parts)
  }
}

/** The failure of a refused request. */
export async function failureFrom(act: () => unknown): Promise<UpstreamFailure> {
  try {
    await act()
  } catch (error) {
    if (error instanceof VendorError) return error.failure
    throw error
  }
  throw new Error('nothing was refused')
}
