import { EventStreamCodec } from '@smithy/eventstream-codec'

/* Recorded vendor streams, cut between or inside their events and then closed cleanly. */

export interface RecordedStream {
  /** The channel's type, and one of the vendor's models. */
  type: number
  model: string
  /** Other settings the channel needs. */
  other: string
  /** The events as bytes on the wire, and their content type. */
  events: Uint8Array[]
  contentType: string
  /** The number of events until the vendor has sent its end. */
  endsWith: number
}

const SSE = 'text/event-stream'
const encoder = new TextEncoder()
const recorded = (path: string) => Bun.file(new URL(`../../../providers/src/${path}`, import.meta.url)).text()

const codec = new EventStreamCodec(
  (bytes) => new TextDecoder().decode(typeof bytes === 'string' ? encoder.encode(bytes) : bytes),
  (text) => encoder.encode(text),
)

const lines = (text: string) => text.split('\n').filter((line) => line !== '')

/** How a recording's events look on the wire. */
const WIRES = {
  /** One payload on each line. */
  chunks: (text: string) =>
    lines(text).map((data) => {
      const type = data.startsWith('{') ? JSON.parse(data).type : undefined
      return `${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
    }),
  sse: (text: string) => text.split('\n\n').flatMap((event) => (event.trim() === '' ? [] : [`${event}\n\n`])),
  jsonl: (text: string) => lines(text).map((line) => `${line}\n`),
}

async function streamOf(
  type: number,
  model: string,
  { path, ends }: { path: string; ends: RegExp },
): Promise<RecordedStream> {
  const kind = path.endsWith('.sse') ? 'sse' : path.endsWith('.jsonl') ? 'jsonl' : 'chunks'
  const events = WIRES[kind](await recorded(path))
  const contentType = kind === 'jsonl' ? 'application/x-ndjson' : SSE
  const endsWith = events.findIndex((event) => ends.test(event)) + 1
  return { type, model, other: '7', contentType, endsWith, events: events.map((event) => encoder.encode(event)) }
}

async function amazonStream(type: number, model: string): Promise<RecordedStream> {
  const payloads = lines(await recorded('bedrock/fixtures/thinking.chunks.txt')).map((line) => JSON.parse(line))
  const events = payloads.map((payload) => {
    const [name = ''] = Object.keys(payload)
    const headers = {
      ':message-type': { type: 'string' as const, value: 'event' },
      ':event-type': { type: 'string' as const, value: name },
    }
    return codec.encode({ headers, body: encoder.encode(JSON.stringify(payload[name])) })
  })
  const endsWith = payloads.findIndex((payload) => 'messageStop' in payload) + 1
  return { type, model, other: '', contentType: 'application/vnd.amazon.eventstream', endsWith, events }
}

const REASON = /"finish_reason": ?"(?!null")/
const GEMINI_REASON = /"finishReason": ?"/
const CLAUDE_REASON = /"stop_reason": ?"/

/** By the vendor's name. */
export const recordedStreams = async (): Promise<Record<string, RecordedStream>> => ({
  OpenAI: await streamOf(1, 'gpt-4o', { path: 'openai/fixtures/text.chunks.txt', ends: REASON }),
  'OpenAI (tools)': await streamOf(1, 'gpt-4o-mini', {
    ...{ path: 'openai/fixtures/tools.chunks.txt', ends: REASON },
  }),
  'OpenAI (Responses)': await streamOf(1, 'gpt-5-codex', {
    ...{ path: 'responses/fixtures/tools.chunks.txt', ends: /"type":"response\.completed"/ },
  }),
  Azure: await streamOf(3, 'azure-gpt', { path: 'azure/fixtures/text.sse', ends: REASON }),
  Anthropic: await streamOf(14, 'claude-x', { path: 'anthropic/fixtures/cited.chunks.txt', ends: CLAUDE_REASON }),
  Baidu: await streamOf(15, 'ernie', { path: 'baidu/fixtures/text.sse', ends: /"is_end": true/ }),
  Zhipu: await streamOf(16, 'glm', { path: 'zhipu/fixtures/text.sse', ends: REASON }),
  Qwen: await streamOf(17, 'qwen', { path: 'qwen/fixtures/text.sse', ends: REASON }),
  'AI Proxy': await streamOf(21, 'library', { path: 'aiproxy-library/fixtures/text.sse', ends: /"finish": true/ }),
  Hunyuan: await streamOf(23, 'hunyuan', { path: 'hunyuan/fixtures/text.sse', ends: /"FinishReason": ?"[a-z]/ }),
  Gemini: await streamOf(24, 'gemini-x', { path: 'gemini/fixtures/text.chunks.txt', ends: GEMINI_REASON }),
  Ollama: await streamOf(30, 'llama', { path: 'ollama/fixtures/text.jsonl', ends: /"done": true/ }),
  Bedrock: await amazonStream(33, 'amazon.nova-pro-v1:0'),
  Coze: await streamOf(34, 'bot-1', { path: 'coze/fixtures/text.sse', ends: /event: ?conversation\.chat\.completed/ }),
  Cohere: await streamOf(35, 'command', { path: 'cohere/fixtures/text.sse', ends: /"finish_reason"/ }),
  Cloudflare: await streamOf(37, '@cf/llama', { path: 'cloudflare/fixtures/text.sse', ends: REASON }),
  'Vertex (Claude)': await streamOf(42, 'claude-on-vertex', {
    ...{ path: 'anthropic/fixtures/cited.chunks.txt', ends: CLAUDE_REASON },
  }),
  'Vertex (Gemini)': await streamOf(42, 'gemini-on-vertex', {
    ...{ path: 'gemini/fixtures/text.chunks.txt', ends: GEMINI_REASON },
  }),
})

/** Its first events, of the last perhaps only a fraction, then a clean end of the connection. */
export const cutAfter = ({ events, contentType }: RecordedStream, count: number) => {
  const [whole, last = new Uint8Array()] = [events.slice(0, count), events[Math.floor(count)]]
  const sent = [...whole, last.subarray(0, Math.floor(last.length * (count % 1)))]
  return new Response(Buffer.concat(sent), { headers: { 'content-type': contentType } })
}
