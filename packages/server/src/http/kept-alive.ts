import { withTimeout } from '../common/with-timeout.ts'

/** Well below a minute, after which this server and most proxies give up on a silent answer. */
const QUIET_MS = 15_000

/**
 * An answer in JSON that may take minutes: until it is there, a space goes out now and then, and JSON may begin with any
 * number of them. Its status is 200 by then, whatever comes; a refusal is in the envelope. A caller who leaves stops
 * nothing.
 */
export const keptAlive = async (answer: Promise<Response>, headers: Headers, quietMs = QUIET_MS): Promise<Response> => {
  if (await withTimeout(quietMs, answer)) return answer
  async function* body() {
    do yield SPACE
    while (!(await withTimeout(quietMs, answer)))
    yield await (await answer).bytes()
  }
  headers.set('content-type', 'application/json; charset=utf-8')
  // Bun takes an async generator as a body and ends it when the client leaves; the DOM's types do not know that.
  return new Response(body() as unknown as BodyInit, { headers })
}

const SPACE = new TextEncoder().encode(' ')
