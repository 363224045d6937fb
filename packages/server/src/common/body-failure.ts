import { GatewayError } from './errors.ts'

/** Why a body could not be read: the sender disconnected, which is not a server error. */
export const bodyFailure = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  if (error.name === 'AbortError') return new GatewayError('relay.client_left', {}, { cause: error })
  return error
}
