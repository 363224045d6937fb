import type { ChatRequest } from './chat.ts'
import type { Fields } from './json.ts'
import { isPresent } from './members.ts'

/** Members that a caller wrote in another dialect than chat completions; none when they are all empty. */
export function foreignMembers(members: Fields): Pick<ChatRequest, 'foreign' | 'extra'> {
  const present = Object.entries(members).filter(([, value]) => isPresent(value))
  return present.length === 0 ? { extra: {} } : { foreign: true, extra: Object.fromEntries(present) }
}
