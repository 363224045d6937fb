import { signIn, type startBusyGateway } from './busy-gateway.ts'

const CHANNELS = 2000
const ASKED = 15

type Gateway = Pick<Awaited<ReturnType<typeof startBusyGateway>>, 'ask' | 'url' | 'cpuSeconds'>

/** The requests of the channels page: its first and last hundred rows, filters that no column answers, and the failures of a day. */
const QUESTIONS = [
  '/api/channel/?p=0&page_size=100',
  '/api/channel/?p=19&page_size=100',
  '/api/channel/search?keyword=many&p=0&page_size=100&tag=many&unpriced=true',
  '/api/channel/?p=0&page_size=100&failing=1',
  '/api/channel/outcomes',
]

/** The CPU milliseconds that each request takes with 2,000 more channels, and its median latency, which is longer on a busy machine. */
export const channelPageMs = async ({ ask, url, cpuSeconds }: Gateway) => {
  const key = Array.from({ length: CHANNELS }, (_, number) => `sk-many-${number}`).join('\n')
  const models = Array.from({ length: 40 }, (_, number) => `many-model-${number}`).join(',')
  const place = { type: 8, name: 'many', base_url: 'http://127.0.0.1:9', tag: 'many' }
  await ask('POST', '/api/channel/', { ...place, models, key })
  const cookie = await signIn(url)
  const times: { question: string; cpuMs: number; waitedMs: number }[] = []
  for (const question of QUESTIONS) {
    const taken: number[] = []
    const before = cpuSeconds()
    for (let time = 0; time < ASKED; time++) {
      const at = performance.now()
      const answer = await fetch(`${url}${question}`, { headers: { cookie } })
      const { success, message } = await answer.json()
      taken.push(performance.now() - at)
      if (success !== true) throw new Error(`${question}: ${message}`)
    }
    taken.sort((one, other) => one - other)
    const cpuMs = ((cpuSeconds() - before) / ASKED) * 1000
    times.push({ question, cpuMs, waitedMs: taken[Math.floor(ASKED / 2)] ?? 0 })
  }
  return times
}
