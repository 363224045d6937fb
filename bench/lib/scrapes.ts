import { createCallMetrics } from '../../packages/server/src/metrics/call-metrics.ts'
import { exposition } from '../../packages/server/src/metrics/exposition.ts'
import { median, p95 } from './quantiles.ts'

const CHANNELS = 300
const MODELS = 200
const ROUNDS = 100
/** The JIT compiler has settled after this many. */
const WARM_UP = 30

/** How long a scrape of `/metrics` blocks the process after calls of every model at every channel. */
export const measureScrapes = () => {
  const metrics = createCallMetrics()
  for (let channel = 1; channel <= CHANNELS; channel++)
    for (let model = 0; model < MODELS; model++) metrics.count(callOf(`model-${model}`, channel))
  const spent: number[] = []
  let size = 0
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const used = process.cpuUsage()
    size = Buffer.from(exposition(metrics.read())).length
    const { user, system } = process.cpuUsage(used)
    if (round >= WARM_UP) spent.push((user + system) / 1000)
  }
  console.log(
    `/metrics with ${CHANNELS} channels and ${MODELS} models: ${(size / 1024).toFixed(0)} KB, processor p95 ${p95(spent).toFixed(1)} ms, median ${median(spent).toFixed(1)} ms`,
  )
  return p95(spent)
}

const callOf = (model_name: string, channel: number) => ({
  ...{ user_id: 1, created_at: 1, type: 2, channel, username: 'u', token_name: 'k', model_name, quota: 1500 },
  ...{ prompt_tokens: 1200, completion_tokens: 300, content: '', content_en: '', request_id: '', detail: '' },
  ...{ elapsed_time: 900, first_byte_time: 200, is_stream: 1 as const, session: null, outcome: 'success' as const },
  ...{ cached_tokens: 400, cache_write_tokens: 50, reasoning_tokens: 100 },
})
