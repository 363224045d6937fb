import { isUnderstoodElsewhere, type UpstreamFailure, VendorError } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import type { Call } from '../surfaces/call.ts'
import { fieldsOf } from '../surfaces/fields.ts'

/*
 * Agents use what their own vendor added last. Other hosts of its API refuse the whole call because of it: then the call is translated,
 * which leaves it out or says it otherwise, and so are later ones of that kind.
 */

interface Habit {
  isIn(call: Call): boolean
  isRefused(failure: UpstreamFailure, route: Route): boolean
}

/** Tools of Codex that only OpenAI knows. Any server may be behind the address of a channel for OpenAI; OpenAI itself is trusted. */
const tools: Habit = {
  isIn: ({ operation, body }) => operation.name === 'responses' && !isUnderstoodElsewhere(body),
  isRefused: ({ status, param, message }, { access }) =>
    STATUSES.has(status) &&
    (ABOUT_TYPE.test(param ?? '') || SAYS_TYPE.test(message)) &&
    !IS_OPENAI.test(access.baseUrl),
}

/** Some fail where others refuse. */
const STATUSES: ReadonlySet<number> = new Set([400, 422, 500])
const ABOUT_TYPE = /^(body\.)?tools[.[]\d+\]?(\.type)?$/
const SAYS_TYPE = /tool[\s\S]{0,40}type|type[\s\S]{0,40}\btools?\b|unknown variant|namespace/i
const IS_OPENAI = /^https:\/\/([\w-]+\.)*openai\.com(\/|$)/

/** Instructions of Claude Code among the messages, at hosts of Claude; Anthropic's own error is understood by its clients. */
const instructions: Habit = {
  isIn: ({ operation, body }) =>
    operation.name === 'messages' &&
    Array.isArray(body.messages) &&
    body.messages.some((message) => fieldsOf(message).role === 'system'),
  isRefused: ({ status, message }, { provider }) =>
    status === 400 && /unexpected role/i.test(message) && provider?.anthropic?.takes !== undefined,
}

const HABITS = [tools, instructions]

const refusedBy = new WeakMap<Route, Set<Habit>>()

/** Whether this host is known to refuse what the call contains. */
export const isTooMuchFor = (call: Call, route: Route) =>
  [...(refusedBy.get(route) ?? [])].some((habit) => habit.isIn(call))

/** What the host refused, if it was one of these; `remember` it when the translated call succeeded. */
export const refusedHabit = (call: Call, route: Route, error: unknown): Habit | undefined => {
  if (!(error instanceof VendorError)) return undefined
  return HABITS.find((habit) => habit.isIn(call) && habit.isRefused(error.failure, route))
}

export const remember = (habit: Habit, route: Route) => {
  refusedBy.set(route, (refusedBy.get(route) ?? new Set()).add(habit))
}
