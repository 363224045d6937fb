import { isUnderstoodElsewhere, VendorError } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import type { Call } from '../surfaces/call.ts'

/*
 * Any server may be behind the address of a channel for OpenAI. Those that have Responses, but not the tools that OpenAI added for
 * agents, refuse every call of Codex: it is translated for them into a chat with functions.
 */

const withoutAgentTools = new WeakSet<Route>()

const hasAgentTools = ({ operation, body }: Call) => operation.name === 'responses' && !isUnderstoodElsewhere(body)

/** Whether this server is known to refuse what the call contains. */
export const isTooMuchFor = (call: Call, route: Route) => withoutAgentTools.has(route) && hasAgentTools(call)

/** Whether the server refused a tool because of its type. OpenAI itself is trusted. */
export function refusesAgentTools(call: Call, route: Route, error: unknown) {
  if (!(error instanceof VendorError) || !hasAgentTools(call) || isOpenAi(route)) return false
  const { status, param, message } = error.failure
  return STATUSES.has(status) && (ABOUT_TYPE.test(param ?? '') || SAYS_TYPE.test(message))
}

export const rememberRefusal = (route: Route) => void withoutAgentTools.add(route)

const isOpenAi = ({ access }: Route) => /^https:\/\/([\w-]+\.)*openai\.com(\/|$)/.test(access.baseUrl)

/** Some fail where others refuse. */
const STATUSES: ReadonlySet<number> = new Set([400, 422, 500])
const ABOUT_TYPE = /^(body\.)?tools[.[]\d+\]?(\.type)?$/
const SAYS_TYPE = /tool[\s\S]{0,40}type|type[\s\S]{0,40}\btools?\b|unknown variant|namespace/i
