import { signIn, type startBusyGateway } from './busy-gateway.ts'

const CHANNELS = 2000
const ASKED = 15

type Gateway = Pick<Awaited<ReturnType<typeof startBusyGateway>>, 'ask' | 'url' | 'cpuSeconds'>

/** What the page of channels asks for: its first and its last hundred, by filters that no column answers, and the failures of a day. */
const QUESTIONS = [
  '/api/channel/?p=0&page_size=100',
  '/api/channel/?p=19&page_size=100',
  '/api/channel/search?keyword=many&p=0&page_size=100&tag=many&unpriced=true',
  '/api/channel/?p=0&page_size=100&failing=1',
  '/api/channel/outcomes',
]

/**
 * Milliseconds of processor time that each of them takes with 2,000 channels more than there were, and how long the answer was
 * waited for in the median, which on a busy machine is longer.
 */
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
