import type { Words } from '../words.ts'
import type { zh } from '../zh/errors.ts'

export const en: Words<typeof zh> = {
  tooManyRequests: 'Error: too many requests, try again later',
  internal: 'Error: internal server error, contact the administrator',
  demonstration: 'This site is for demonstration only, no backend',
  other: (message) => `Error: ${message}`,
  offline: 'you are offline and nothing was sent; try again when you are connected',
  unreachable: 'the server cannot be reached; check your network or try again later',
  cannotConnect: 'Cannot connect to the server',
}
