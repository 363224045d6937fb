import type { DataOf, EndpointShape } from '@tollgate/contract'
import { SERVER_ADDRESS } from './address.ts'
import { endpointUrl } from './url.ts'

const AGAIN_MS = 5000

interface Listener<Message> {
  /** At the beginning, and each time after the connection was lost: what happened in between was not heard. */
  onOpen: () => void
  /** Refused: nobody tries again before a while, and another call can tell why. */
  onLost: (refused: boolean) => void
  onMessage: (message: Message) => void
}

/** Hears the events of an endpoint until what it returns is called. A connection that is lost is made again. */
export function listen<E extends EndpointShape & { events: true }>(
  endpoint: E,
  query: Record<string, unknown>,
  { onOpen, onLost, onMessage }: Listener<DataOf<E>>,
) {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    const own = SERVER_ADDRESS === ''
    const opened = new EventSource(`${SERVER_ADDRESS}${endpointUrl(endpoint, {}, query)}`, { withCredentials: !own })
    source = opened
    opened.onopen = onOpen
    opened.onmessage = ({ data }) => {
      const parsed = endpoint.data?.safeParse(JSON.parse(data))
      // It was parsed by the endpoint's own schema; the compiler cannot follow the generic.
      if (parsed?.success === true) onMessage(parsed.data as DataOf<E>)
    }
    opened.onerror = () => {
      // Otherwise the browser tries again by itself.
      const refused = opened.readyState === EventSource.CLOSED
      if (refused) timer = setTimeout(open, AGAIN_MS)
      onLost(refused)
    }
  }

  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}
