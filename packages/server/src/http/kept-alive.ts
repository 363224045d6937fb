import { withTimeout } from '../common/with-timeout.ts'

/** Well below a minute, after which this server and most proxies drop an idle connection. */
const QUIET_MS = 15_000

/**
 * A JSON answer that may take minutes: until it is ready, spaces are sent now and then, which JSON allows in front. The status
 * is already 200 by then; errors are in the envelope. A client that disconnects does not stop the work.
 */
export const keptAlive = async (answer: Promise<Response>, headers: Headers, quietMs = QUIET_MS): Promise<Response> => {
  if (await withTimeout(quietMs, answer)) return answer
  async function* body() {
    do yield SPACE
    while (!(await withTimeout(quietMs, answer)))
    yield await (await answer).bytes()
  }
  headers.set('content-type', 'application/json; charset=utf-8')
  // Bun accepts an async generator as a body and ends it when the client disconnects; the DOM's types do not know that.
  return new Response(body() as unknown as BodyInit, { headers })
}

const SPACE = new TextEncoder().encode(' ')
