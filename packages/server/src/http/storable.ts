import { GatewayError } from '../common/errors.ts'

/**
 * Rejects a text that the engines would store differently, or not at all: PostgreSQL accepts no NUL, and a lone surrogate has
 * no UTF-8 encoding, so that another text would come back.
 */
export const refuseUnstorable = (text: string) => {
  if (text.includes('\u0000') || !text.isWellFormed()) throw new GatewayError('input.unstorable')
}
