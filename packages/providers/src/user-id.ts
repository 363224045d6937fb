import { createHash } from 'node:crypto'

/** OpenAI's limit; Anthropic's and Zhipu's are higher. */
const USER_MAX = 64

/**
 * The caller's end-user id as vendors accept it. Claude Code sends a whole JSON object, which OpenAI refuses: long values
 * are hashed, so that the same user keeps the same id.
 */
export const boundedUser = (user: string | undefined, max = USER_MAX) =>
  user === undefined || user.length <= max ? user : createHash('sha256').update(user).digest('hex')
