import { startMeasured } from '../scripts/lib/processes.ts'
import { startGateway } from './lib/gateway.ts'
import { load } from './lib/load.ts'

/*
 * CPU time per chunk of a stream: passed through when the vendor speaks the caller's dialect, translated when it does not, compared
 * with a bare proxy of the same stream in the same run.
 */
const PASSED_MAX = 1.3
const CONVERTED_MAX = 3
const CHUNKS = 400
/** A pause between chunks, or a busy machine would send several as one. */
const PAUSE_MS = 2
const CONCURRENCY = 20
/* Short alternating rounds: other load on the machine affects both. */

const TURNS = Number(process.env.BENCH_TURNS ?? 15)

const OPENAI = `chunks/${CHUNKS}/${PAUSE_MS}`
const CLAUDE = `claude-chunks-${CHUNKS}-${PAUSE_MS}`
const GEMINI = `gemini-chunks-${CHUNKS}-${PAUSE_MS}`

const upstream = await startMeasured('bench/lib/upstream.ts', ['4771'], {})
const bare = await startMeasured('bench/lib/bare-proxy.ts', ['4772', 'http://127.0.0.1:4771'], {})
const gateway = await startGateway(
  4773,
  'http://127.0.0.1:4771',
  [OPENAI],
  [
    { type: 14, models: CLAUDE },
    { type: 24, models: GEMINI },
  ],
)

interface BenchRequest {
  path: string
  body: object
}

const messages = [{ role: 'user', content: 'Say many words.' }]
const chat = (model: string): BenchRequest => ({
  path: '/v1/chat/completions',
  body: { model, stream: true, stream_options: { include_usage: true }, messages },
})
const claude = (model: string): BenchRequest => ({
  path: '/v1/messages',
  body: { model, stream: true, max_tokens: 1000, messages },
})
const google = (model: string): BenchRequest => ({
  path: `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
  body: { contents: [{ role: 'user', parts: [{ text: 'Say many words.' }] }], stream: true },
})
const responses = (model: string): BenchRequest => ({
  path: '/v1/responses',
  body: { model, stream: true, input: 'Hi' },
})

/** The request, the vendor's stream, and the maximum cost. */
const CASES = [
  { name: 'OpenAI passed', ours: chat(OPENAI), theirs: chat(OPENAI), max: PASSED_MAX },
  { name: 'Anthropic passed', ours: claude(CLAUDE), theirs: claude(CLAUDE), max: PASSED_MAX },
  { name: 'Gemini passed', ours: google(GEMINI), theirs: google(GEMINI), max: PASSED_MAX },
  { name: 'Anthropic to chat', ours: chat(CLAUDE), theirs: claude(CLAUDE), max: CONVERTED_MAX },
  { name: 'Gemini to chat', ours: chat(GEMINI), theirs: google(GEMINI), max: CONVERTED_MAX },
  { name: 'OpenAI to Messages', ours: claude(OPENAI), theirs: chat(OPENAI), max: CONVERTED_MAX },
  { name: 'OpenAI to Gemini', ours: google(OPENAI), theirs: chat(OPENAI), max: CONVERTED_MAX },
  { name: 'OpenAI to Responses', ours: responses(OPENAI), theirs: chat(OPENAI), max: CONVERTED_MAX },
]

const sender =
  (url: string, key: string, { path, body }: BenchRequest) =>
  async () => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok || text.split(' word').length < CHUNKS) throw new Error(`${answer.status} ${text.slice(0, 500)}`)
  }

/** CPU seconds for a number of concurrent streams. */
const measure = async (target: { cpuSeconds(): number }, send: () => Promise<void>) => {
  const before = target.cpuSeconds()
  await load(CONCURRENCY, CONCURRENCY, send)
  return target.cpuSeconds() - before
}

// The JIT compiler needs a while to find the hot code.
for (const { ours, theirs } of CASES) {
  await load(3 * CONCURRENCY, CONCURRENCY, sender('http://127.0.0.1:4772', 'none', theirs))
  await load(3 * CONCURRENCY, CONCURRENCY, sender(gateway.url, gateway.key, ours))
}

let slow = 0
for (const { name, ours, theirs, max } of CASES) {
  const seconds = { plain: 0, own: 0 }
  for (let turn = 0; turn < TURNS; turn++) {
    seconds.plain += await measure(bare, sender('http://127.0.0.1:4772', 'none', theirs))
    seconds.own += await measure(gateway, sender(gateway.url, gateway.key, ours))
  }
  const perChunk = (all: number) => ((all / TURNS / CONCURRENCY / CHUNKS) * 1_000_000).toFixed(1)
  const ratio = seconds.own / seconds.plain
  if (ratio > max) slow++
  console.log(
    `${name}: bare ${perChunk(seconds.plain)} µs, gateway ${perChunk(seconds.own)} µs per chunk, ` +
      `ratio ${ratio.toFixed(2)}, limit ${max}: ${ratio <= max ? 'ok' : 'TOO SLOW'}`,
  )
}
await Promise.all([upstream.stop(), bare.stop(), gateway.stop()])
process.exit(slow === 0 ? 0 : 1)
