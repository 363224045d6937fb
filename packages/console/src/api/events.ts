import type { DataOf, EndpointShape } from '@tollgate/contract'
import { SERVER_ADDRESS } from './address.ts'
import { endpointUrl } from './url.ts'

/** After a connection that was lost, and after one that was refused. */
const AGAIN_MS = { lost: 2000, refused: 5000 }

interface Listener<Message> {
  /** At the beginning, and each time after the connection was lost: then the server tells first what was missed. */
  onOpen: (again: boolean) => void
  /** Refused: nobody tries again before a while, and another call can tell why. */
  onLost: (refused: boolean) => void
  onMessage: (message: Message) => void
}

/**
 * Hears the events of an endpoint until what it returns is called. A connection that is lost is made again, and the server
 * hears in the address how far this one has come.
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
      // It was parsed by the endpoint's own schema; the compiler cannot follow the generic.
      if (parsed?.success === true) onMessage(parsed.data as DataOf<E>)
    }
    opened.onerror = () => {
      const refused = opened.readyState === EventSource.CLOSED
      // A browser tries again by itself, but not after a refusal; so there is one way for both.
      opened.close()
      clearTimeout(timer)
      timer = setTimeout(open, refused ? AGAIN_MS.refused : AGAIN_MS.lost)
      onLost(refused)
    }
  }

  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}
