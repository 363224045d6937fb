import type { ReadAnswer } from '../surface-readers.ts'

/* Answers of the kinds that vendors send. Each is read by every client, and has the same tokens. */

export interface VariedStream {
  /** The channel: its type, and the model that decides how it is called. */
  type: number
  model: string
  answer(): Response
  expected: Partial<ReadAnswer>
  /** What the vendor's own dialect says in other words. */
  native?: { surface: string; expected: Partial<ReadAnswer> }
}

export const data = (body: object) => `data: ${JSON.stringify(body)}\n\n`
export const DONE = 'data: [DONE]\n\n'
export const named = (...bodies: { type: string; [member: string]: unknown }[]) =>
  bodies.map((body) => `event: ${body.type}\n${data(body)}`).join('')

export const text =
  (frames: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(frames, { headers: { 'content-type': 'text/event-stream', ...headers } })

export const TWO = [
  { name: 'tide', args: { port: 'Kiel' } },
  { name: 'tide', args: { port: 'Brest' } },
]
export const NONE = [{ name: 'now', args: {} }]
