import { eventsIn } from '../upstream/framing.ts'

/** Makes an answer, or one event of it, readable for strict clients of its dialect. It changes what it is given. */
export type Repair = (body: Record<string, unknown>) => void

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The same events, each repaired; what is no object goes on as it is. */
export const repairedEvents = (bytes: Uint8Array, repair: Repair): Uint8Array =>
  encoder.encode(
    eventsIn(decoder.decode(bytes))
      .map(({ event, data, raw }) => {
        const body = objectIn(data)
        if (body === undefined) return raw
        repair(body)
        return `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(body)}\n\n`
      })
      .join(''),
  )

function objectIn(data: string): Record<string, unknown> | undefined {
  if (!data.startsWith('{')) return undefined
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
