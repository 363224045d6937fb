import type { DataOf, EndpointShape } from '@tollgate/contract'
import { SERVER_ADDRESS } from './address.ts'
import { endpointUrl } from './url.ts'

/** Reconnect delays after a lost and a refused connection. */
const RECONNECT_MS = { lost: 2000, refused: 5000 }

interface Listener<Message> {
  /** Called at the start, and after each reconnect, when the server first sends what was missed. */
  onOpen: (again: boolean) => void
  /** Refused: it waits longer before a retry, and another call can find out why. */
  onLost: (refused: boolean) => void
  onMessage: (message: Message) => void
}

/**
 * Subscribes to the events of an endpoint until the returned function is called. A lost connection is opened again, with the last
 * position in the URL.
 */
export function listen<E extends EndpointShape & { events: true }>(
  endpoint: E,
  query: Record<string, unknown>,
  { onOpen, onLost, onMessage }: Listener<DataOf<E>>,
) {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: string | undefined

  const open = () => {
    const own = SERVER_ADDRESS === ''
    const opened = new EventSource(`${SERVER_ADDRESS}${endpointUrl(endpoint, {}, { ...query, after: last })}`, {
      withCredentials: !own,
    })
    source = opened
    opened.onopen = () => onOpen(last !== undefined)
    opened.onmessage = ({ data, lastEventId }) => {
      if (lastEventId !== '') last = lastEventId
      const parsed = endpoint.data?.safeParse(JSON.parse(data))
      // Parsed by the endpoint's own schema; the compiler cannot follow the generic.
      if (parsed?.success === true) onMessage(parsed.data as DataOf<E>)
    }
    opened.onerror = () => {
      const refused = opened.readyState === EventSource.CLOSED
      // A browser reconnects by itself, but not after a refusal; so one code path handles both.
      opened.close()
      clearTimeout(timer)
      timer = setTimeout(open, refused ? RECONNECT_MS.refused : RECONNECT_MS.lost)
      onLost(refused)
    }
  }

  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}
