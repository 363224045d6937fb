import { isOffline } from '../lib/failure-kind.ts'
import { errorsText } from '../text/errors.ts'
import { textNow } from '../text/text.ts'

/** No answer at all: the browser is offline, or nobody listens at the address. */
class Unreachable extends Error {
  constructor(message: string, options: ErrorOptions) {
    super(message, options)
    this.name = 'Unreachable'
  }
}

/** Goes to the server, or says in words why it did not get there. What the browser itself says is for programmers. */
export async function reach(url: string, init: RequestInit) {
  try {
    return await fetch(url, init)
  } catch (error) {
    const text = textNow(errorsText)
    throw new Unreachable(isOffline() ? text.offline : text.unreachable, { cause: error })
  }
}
