import { GatewayError } from '../common/errors.ts'

/**
 * Refuses a text that the engines would store differently, or not at all: PostgreSQL takes no NUL, and half of a
 * surrogate pair has no bytes in UTF-8, so that another text would come back.
 */
export const refuseUnstorable = (text: string) => {
  if (text.includes('\u0000') || !text.isWellFormed()) throw new GatewayError('input.unstorable')
}
