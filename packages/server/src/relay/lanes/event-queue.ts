import { nextBoundary } from '../../upstream/framing.ts'
import { contentBytes } from '../meter/response-text.ts'

const NOTHING = new Uint8Array(0)

/** Events that arrived in one piece of the network, and are given out as far as there is money for them. */
export const createEventQueue = () => {
  let waiting: Uint8Array = NOTHING
  return {
    isEmpty: () => waiting.length === 0,
    /** What was there before has to be taken first. */
    put(events: Uint8Array) {
      waiting = events
    },
    /** At least one event. Behind so many bytes of text, only events that have none: an end, or a report. */
    take(textMax: number): Uint8Array {
      const end = waiting.length <= textMax ? waiting.length : endOf(waiting, textMax)
      const taken = waiting.subarray(0, end)
      waiting = waiting.subarray(end)
      return taken
    },
  }
}

function endOf(events: Uint8Array, textMax: number) {
  let end = 0
  let text = 0
  while (end < events.length) {
    const next = nextBoundary(events, end)
    const more = contentBytes(events.subarray(end, next))
    if (end > 0 && more > 0 && text >= textMax) return end
    text += more
    end = next
  }
  return end
}
