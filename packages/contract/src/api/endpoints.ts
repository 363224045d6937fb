import { alerts } from '../alerts/alerts.ts'
import { analytics } from '../analytics.ts'
import { audit } from '../audit.ts'
import { budgets } from '../budgets.ts'
import { channelKeys } from '../channels/channel-keys.ts'
import { channels } from '../channels/channels.ts'
import { groups } from '../groups.ts'
import { logs } from '../logs.ts'
import { modelLists } from '../models/model-lists.ts'
import { oauth } from '../oauth.ts'
import { options } from '../options/options.ts'
import { recordings } from '../recordings/recordings.ts'
import { redemptions } from '../redemptions.ts'
import { routes } from '../routes/routes.ts'
import { session } from '../session.ts'
import { status } from '../status.ts'
import { tokens } from '../tokens.ts'
import { users } from '../users.ts'
import { warnings } from '../warnings.ts'
import type { EndpointShape } from './endpoint.ts'

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
