import { GatewayError } from './errors.ts'

/** Why a body could not be read: whoever sent it has left, or sends more than is taken. Neither is an accident of ours. */
export const bodyFailure = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  if (error.name === 'AbortError') return new GatewayError('relay.client_left', {}, { cause: error })
  if (error.message.includes('maxRequestBodySize')) return new GatewayError('input.too_large', {}, { cause: error })
  return error
}
