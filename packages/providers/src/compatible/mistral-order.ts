import { fieldsOf, listOf } from '../json.ts'

/**
 * The order of messages that Mistral accepts: its model answers the results of tools before anybody else says a word, instructions
 * follow the user's words only and are not the last ones, and the model's words at the end are the beginning of its answer. Agents add
 * reminders and images to the results of tools, and instructions wherever they have some.
 */
export function mistralOrder(messages: readonly unknown[]): unknown[] {
  const ordered: unknown[] = []
  for (const message of messages) {
    const [before, role] = [roleOf(ordered.at(-1)), roleOf(message)]
    if (before === 'tool' && (role === 'user' || role === 'system')) ordered.push(READ)
    const isLate = role === 'system' && (before === 'tool' || before === 'assistant')
    ordered.push(isLate ? asUser(message) : message)
  }
  return withEnd(ordered)
}

const asUser = (message: unknown) => ({ ...fieldsOf(message), role: 'user' })

const roleOf = (message: unknown) => fieldsOf(message).role

/** An empty message would be refused. */
const READ = { role: 'assistant', content: 'OK.' }

function withEnd(messages: unknown[]): unknown[] {
  const last = fieldsOf(messages.at(-1))
  const before = messages.slice(0, -1)
  if (last.role === 'system') return [...before, asUser(last)]
  if (last.role !== 'assistant' || listOf(last.tool_calls).length > 0) return messages
  return [...before, { ...last, prefix: true }]
}
