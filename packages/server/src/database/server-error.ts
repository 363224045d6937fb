import { GatewayError } from '../common/errors.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/** What a caller learns of an unexpected error: an unavailable database comes back; everything else is a bug. */
export const asServerError = (error: unknown) =>
  new GatewayError(isDatabaseUnavailable(error) ? 'server.unavailable' : 'server.internal')
