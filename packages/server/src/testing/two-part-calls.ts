import { fakeVendor } from './fake-vendor.ts'

/* Calls of every kind, with the vendor's answer in two parts: the test decides when the second one arrives. */

interface TwoPartCall {
  /** Of the channel; OpenAI's if absent. */
  channelType?: number
  path: string
  /** JSON or a form. */
  body(): object
  type: string
  answer: readonly [string | Uint8Array, string | Uint8Array]
  /** The cost of the whole answer, if every token costs 1. */
  cost: number
  /** What is charged when the call ends after the first part; 0 if the client receives nothing before the whole is there. */
  firstCost: number
}

const USAGE = { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 }
const JSON_TYPE = 'application/json'

const inTwo = (body: object): [string, string] => {
  const text = JSON.stringify(body)
  return [text.slice(0, text.length / 2), text.slice(text.length / 2)]
}

const formOf = (fields: Record<string, string>, file: File, name = 'file') => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set(name, file)
  return form
}

/** A WAV file of a second. */
const wav = () => {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + 16_000, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(16_000, 40)
  return new File([header, Buffer.alloc(16_000)], 'second.wav', { type: 'audio/wav' })
}

const png = () =>
  new File(
    [
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ],
    'dot.png',
    { type: 'image/png' },
  )

const frame = (fields: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`

const MESSAGES = [{ role: 'user', content: 'Hello there' }]
const chatted = {
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'High tide' }, finish_reason: 'stop' }],
  usage: USAGE,
}

const COUNTED = { input_tokens: 40, output_tokens: 20, total_tokens: 60 }
const drawn = { created: 1, data: [{ b64_json: 'AAAA' }], usage: COUNTED }
const transcribed = { text: 'High tide', usage: { type: 'tokens', ...COUNTED } }

const SOUND = Buffer.concat([Buffer.from([0xff, 0xfb, 0x50, 0xc0]), Buffer.alloc(8000 - 4)])

export const TWO_PART_CALLS: Record<string, TwoPartCall> = {
  'a chat': {
    path: '/v1/chat/completions',
    body: () => ({ model: 'm', messages: MESSAGES }),
    type: JSON_TYPE,
    answer: inTwo(chatted),
    cost: 60,
    firstCost: 0,
  },
  'a streamed chat': {
    path: '/v1/chat/completions',
    body: () => ({ model: 'm', messages: MESSAGES, stream: true }),
    type: 'text/event-stream',
    answer: [
      frame({ choices: [{ index: 0, delta: { content: 'High tide' }, finish_reason: null }] }),
      `${frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${frame({ choices: [], usage: USAGE })}data: [DONE]\n\n`,
    ],
    cost: 60,
    firstCost: 9,
  },
  'a chat of Anthropic': {
    channelType: 14,
    path: '/v1/chat/completions',
    body: () => ({ model: 'm', messages: MESSAGES }),
    type: JSON_TYPE,
    answer: inTwo({
      ...{ id: 'msg', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
      content: [{ type: 'text', text: 'High tide' }],
      usage: { input_tokens: 40, output_tokens: 20 },
    }),
    cost: 60,
    firstCost: 0,
  },
  'embeddings of Cohere': {
    channelType: 35,
    path: '/v1/embeddings',
    body: () => ({ model: 'm', input: 'Hello there' }),
    type: JSON_TYPE,
    answer: inTwo({ embeddings: { float: [[0.5, 0.25]] }, meta: { billed_units: { input_tokens: 40 } } }),
    cost: 40,
    firstCost: 0,
  },
  embeddings: {
    path: '/v1/embeddings',
    body: () => ({ model: 'm', input: 'Hello there' }),
    type: JSON_TYPE,
    answer: inTwo({
      ...{ object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }] },
      usage: { prompt_tokens: 40, total_tokens: 40 },
    }),
    cost: 40,
    firstCost: 0,
  },
  'a moderation': {
    path: '/v1/moderations',
    body: () => ({ model: 'm', input: 'Hello there' }),
    type: JSON_TYPE,
    answer: inTwo({ id: 'modr', model: 'm', results: [{ flagged: false, categories: {}, category_scores: {} }] }),
    cost: 3,
    firstCost: 0,
  },
  'a ranking': {
    path: '/v1/rerank',
    body: () => ({ model: 'm', query: 'tide', documents: ['high', 'low'] }),
    type: JSON_TYPE,
    answer: inTwo({ id: 'r', results: [{ index: 0, relevance_score: 0.9 }], usage: { total_tokens: 40 } }),
    cost: 40,
    firstCost: 0,
  },
  'an image': {
    path: '/v1/images/generations',
    body: () => ({ model: 'm', prompt: 'Hello there' }),
    type: JSON_TYPE,
    answer: inTwo(drawn),
    cost: 60,
    firstCost: 0,
  },
  'an edited image': {
    path: '/v1/images/edits',
    body: () => formOf({ model: 'm', prompt: 'Hello there' }, png(), 'image'),
    type: JSON_TYPE,
    answer: inTwo(drawn),
    cost: 60,
    firstCost: 0,
  },
  'a transcription': {
    path: '/v1/audio/transcriptions',
    body: () => formOf({ model: 'm' }, wav()),
    type: JSON_TYPE,
    answer: inTwo(transcribed),
    cost: 60,
    firstCost: 0,
  },
  'a translation': {
    path: '/v1/audio/translations',
    body: () => formOf({ model: 'm' }, wav()),
    type: JSON_TYPE,
    answer: inTwo(transcribed),
    cost: 60,
    firstCost: 0,
  },
  speech: {
    path: '/v1/audio/speech',
    body: () => ({ model: 'm', input: 'High tide is at six.', voice: 'alloy' }),
    type: 'audio/mpeg',
    answer: [SOUND, SOUND],
    cost: 20,
    firstCost: 20,
  },
}

/** Sends nothing, then the first part, then the second, each when the test says so. */
export const twoPartVendor = ({ type, answer }: TwoPartCall) => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const asked = Promise.withResolvers<void>()
  const vendor = fakeVendor(async () => {
    asked.resolve()
    await gates[0].promise
    const bytes = answer.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part))
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(bytes[0] ?? new Uint8Array())
        await gates[1].promise
        try {
          controller.enqueue(bytes[1] ?? new Uint8Array())
          controller.close()
        } catch {
          // The gateway has disconnected.
        }
      },
    })
    return new Response(body, { headers: { 'content-type': type } })
  })
  return { url: vendor.url, asked: asked.promise, first: gates[0].resolve, second: gates[1].resolve }
}
