import { isOffline } from '../lib/browser/failure-kind.ts'
import { errorsText } from '../text/errors.ts'
import { textNow } from '../text/text.ts'

/** No answer at all: the browser is offline, or nothing listens at the address. */
class Unreachable extends Error {
  constructor(message: string, options: ErrorOptions) {
    super(message, options)
    this.name = 'Unreachable'
  }
}

/** Fetches, or explains why the server was not reached. The browser's own message is for programmers. */
export async function reach(url: string, init: RequestInit) {
  try {
    return await fetch(url, init)
  } catch (error) {
    const text = textNow(errorsText)
    throw new Unreachable(isOffline() ? text.offline : text.unreachable, { cause: error })
  }
}
