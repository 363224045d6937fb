import { nextBoundary } from '../../upstream/framing.ts'
import { contentBytes } from '../meter/response-text.ts'

const NOTHING = new Uint8Array(0)

/** Events that arrived in one network chunk, released as far as the balance covers them. */
export const createEventQueue = () => {
  let waiting: Uint8Array = NOTHING
  return {
    isEmpty: () => waiting.length === 0,
    /** Earlier events must be taken first. */
    put(events: Uint8Array) {
      waiting = events
    },
    /** At least one event. After this many bytes of text, only events without text: an end, or usage. */
    take(textMax: number): Uint8Array {
      const all = waiting
      // Nearly always; a view of the whole would cost every chunk as much as its search for usage.
      const end = all.length <= textMax ? all.length : endOf(all, textMax)
      waiting = end === all.length ? NOTHING : all.subarray(end)
      return end === all.length ? all : all.subarray(0, end)
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
