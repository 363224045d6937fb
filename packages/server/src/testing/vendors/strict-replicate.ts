import { type Fields, fields, firstOf, type StrictVendor, trickle, type VendorAnswer } from './strict-vendor.ts'

/** Replicate: a prediction is created, then fetched or streamed from the URLs in its answer. */
export const strictReplicate: StrictVendor = {
  name: 'Replicate',
  type: 46,
  model: 'meta/meta-llama-3-70b-instruct',
  calls: 'none',
  isStream: () => false,
  beside(path, latest) {
    if (latest === undefined) return undefined
    if (/\/predictions\/[^/]+$/.test(path)) return Response.json(prediction(latest, 'succeeded'))
    return path === '/stream' ? new Response(streamOf(latest), { headers: SSE }) : undefined
  },
  complaint(body) {
    const { input, version, stream } = body
    const { prompt } = fields(input)
    const strange = Object.keys(fields(input)).find((name) => !INPUTS.has(name))
    return firstOf(
      strange !== undefined && `input.${strange}: Additional property is not allowed`,
      (typeof prompt !== 'string' || prompt === '') && 'input: prompt is required',
      version !== undefined && 'version: not for an official model',
      stream !== undefined && typeof stream !== 'boolean' && 'stream: must be a boolean',
      ...Object.entries(fields(input)).map(numberComplaint),
    )
  },
  whole: (answer) => prediction(answer, 'starting'),
  stream: (answer) => ({ type: 'text/event-stream', bytes: streamOf(answer) }),
}

/** The input that this model declares. */
const INPUTS = new Set(
  (
    'prompt system_prompt max_tokens min_tokens temperature top_p top_k stop_sequences seed presence_penalty ' +
    'frequency_penalty prompt_template'
  ).split(' '),
)

function numberComplaint([name, value]: [string, unknown]) {
  const isWord = ['prompt', 'system_prompt', 'stop_sequences', 'prompt_template'].includes(name)
  return typeof value === (isWord ? 'string' : 'number') ? undefined : `input.${name}: Invalid type`
}

const SSE = { 'content-type': 'text/event-stream' }

/** The URLs are the vendor's own; a stream's URL has no host, which only the caller knows. */
const prediction = ({ text = '', usage }: VendorAnswer, status: string): Fields => ({
  ...{ id: 'strict', model: 'meta/meta-llama-3-70b-instruct', version: 'hidden', error: null, status },
  urls: { get: 'https://api.replicate.com/v1/predictions/strict' },
  ...(status === 'succeeded' ? { output: trickle(text) } : {}),
  metrics: { input_token_count: usage.input, output_token_count: usage.output },
})

const streamOf = ({ text = '' }: VendorAnswer) =>
  new TextEncoder().encode(
    [...trickle(text).map((piece) => `event: output\ndata: ${piece}\n\n`), 'event: done\ndata: {}\n\n'].join(''),
  )
