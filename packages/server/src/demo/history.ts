import type { DemoClock } from './demo-clock.ts'
import type { Person } from './set-up.ts'

const HOUR_MS = 3_600_000
const DAYS = 7

/** Weekends are quiet, and days differ. */
const WEEK = [0.3, 1, 1.2, 0.8, 1.4, 0.9, 0.4]

/** Calls per hour of a working day. */
const DAY = [0, 0, 0, 0, 0, 0, 0, 1, 3, 5, 6, 4, 2, 5, 6, 5, 4, 3, 1, 1, 2, 1, 0, 0]

/** Sends the calls of the past week, each at its own time. Returns their number. */
export const makeHistory = async (url: string, people: readonly Person[], clock: DemoClock) => {
  const now = Date.now()
  let calls = 0
  for (let hour = DAYS * 24 - 1; hour >= 0; hour--) {
    const at = now - hour * HOUR_MS
    clock.goTo(at)
    const together = people.flatMap((person, index) => {
      const busy = (DAY[new Date(at).getHours()] ?? 0) * (WEEK[new Date(at).getDay()] ?? 1)
      const count = Math.max(0, Math.round(busy) - index)
      return Array.from({ length: count }, (_, call) => send(url, person, call + hour))
    })
    await Promise.all(together)
    calls += together.length
  }
  return calls
}

const QUESTIONS = [
  'What is a toll?',
  '收费站是做什么的？',
  'Write a haiku about a raised bar.',
  '把这句话翻译成英文：一路顺风。',
]

async function send(url: string, { key, models }: Person, call: number) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: models[call % models.length],
      stream: call % 2 === 0,
      messages: [{ role: 'user', content: QUESTIONS[call % QUESTIONS.length] }],
      // Tells the demo's provider how long its answer should be.
      metadata: { words: 40 + ((call * 37) % 400) },
    }),
  })
  await response.text()
  if (!response.ok) throw new Error(`A call of the demo failed with ${response.status}`)
}
