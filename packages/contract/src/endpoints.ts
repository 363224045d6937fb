import { alerts } from './alerts.ts'
import { analytics } from './analytics.ts'
import { audit } from './audit.ts'
import { budgets } from './budgets.ts'
import { channelKeys } from './channel-keys.ts'
import { channels } from './channels.ts'
import type { EndpointShape } from './endpoint.ts'
import { groups } from './groups.ts'
import { logs } from './logs.ts'
import { modelLists } from './model-lists.ts'
import { oauth } from './oauth.ts'
import { options } from './options.ts'
import { recordings } from './recordings.ts'
import { redemptions } from './redemptions.ts'
import { routes } from './routes.ts'
import { session } from './session.ts'
import { status } from './status.ts'
import { tokens } from './tokens.ts'
import { users } from './users.ts'
import { warnings } from './warnings.ts'

const nouns = {
  status,
  session,
  oauth,
  users,
  groups,
  tokens,
  channels,
  channelKeys,
  modelLists,
  redemptions,
  logs,
  recordings,
  analytics,
  options,
  audit,
  budgets,
  alerts,
  routes,
  warnings,
}

export interface NamedEndpoint {
  /** `tokens.list`: noun and verb. */
  name: string
  noun: string
  endpoint: EndpointShape
}

/** Every call of the management API, for the router's completeness check, the documentation and tests that cover all calls. */
export const ENDPOINTS: readonly NamedEndpoint[] = Object.entries(nouns).flatMap(([noun, verbs]) =>
  Object.entries(verbs).map(([verb, endpoint]) => ({ name: `${noun}.${verb}`, noun, endpoint })),
)
