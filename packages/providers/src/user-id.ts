import { createHash } from 'node:crypto'

/** OpenAI's bound; Anthropic's and Zhipu's are wider. */
const USER_MAX = 64

/**
 * The caller's name for its end user, as vendors take it. Claude Code sends a whole JSON object, which OpenAI refuses: what
 * is too long becomes its hash, so that the same user stays the same.
 */
export const boundedUser = (user: string | undefined, max = USER_MAX) =>
  user === undefined || user.length <= max ? user : createHash('sha256').update(user).digest('hex')
