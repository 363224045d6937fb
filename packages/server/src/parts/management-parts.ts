import { alertsRoutes } from '../alerts/alerts-routes.ts'
import { analyticsRoutes } from '../analytics/analytics-routes.ts'
import { createAnalyticsService } from '../analytics/analytics-service.ts'
import { createHistory } from '../analytics/history.ts'
import { createNeedsAttention } from '../analytics/needs-attention.ts'
import { auditRoutes } from '../audit/audit-routes.ts'
import { budgetsRoutes } from '../budgets/budgets-routes.ts'
import { createChangeModels } from '../channels/change-models.ts'
import { createAttention } from '../channels/channel-attention.ts'
import { createBulk } from '../channels/channel-bulk.ts'
import { createFinder } from '../channels/channel-finder.ts'
import { channelKeysRoutes } from '../channels/channel-keys-routes.ts'
import { createChannelOrder } from '../channels/channel-order.ts'
import { channelsRoutes } from '../channels/channels-routes.ts'
import { createExport } from '../channels/export-channels.ts'
import { createImport } from '../channels/import-channels.ts'
import { createLimits } from '../http/limits.ts'
import { createRouter } from '../http/management-api.ts'
import { sessionCookie } from '../http/session-cookie.ts'
import { createIdempotency } from '../idempotency/idempotency-service.ts'
import { createLogTail } from '../logs/log-tail.ts'
import { logsRoutes } from '../logs/logs-routes.ts'
import { createCheckModelList } from '../model-lists/check-model-list.ts'
import { createModelListsJob } from '../model-lists/model-lists-job.ts'
import { modelListsRoutes } from '../model-lists/model-lists-routes.ts'
import { createModelListsService } from '../model-lists/model-lists-service.ts'
import { oauthRoutes } from '../oauth/oauth-routes.ts'
import { optionsRoutes } from '../options/options-routes.ts'
import { recordingsRoutes } from '../recordings/recordings-routes.ts'
import { redemptionsRoutes } from '../redemptions/redemptions-routes.ts'
import { createOwnLimits } from '../relay/rate-limits/own-limits.ts'
import { createExplain } from '../routes/explain-routing.ts'
import { routesRoutes } from '../routes/routes-routes.ts'
import { createRoutesService } from '../routes/routes-service.ts'
import { sessionRoutes } from '../session/session-routes.ts'
import { statusRoutes } from '../status/status-routes.ts'
import { tokensRoutes } from '../tokens/tokens-routes.ts'
import { createUserTokensService } from '../tokens/user-tokens-service.ts'
import { createIsReachable } from '../upstream/reachable.ts'
import { refuseHigherRank } from '../users/ranks.ts'
import { usersRoutes } from '../users/users-routes.ts'
import { warningsRoutes } from '../warnings/warnings-routes.ts'
import { createWarningsService } from '../warnings/warnings-service.ts'
import type { AccountParts } from './account-parts.ts'
import { buildAlerts } from './alert-parts.ts'
import type { BaseParts } from './base-parts.ts'
import type { CallParts } from './call-parts.ts'
import type { ChannelParts } from './channel-parts.ts'
import type { PartsNeeds } from './parts-needs.ts'

/** The management API: its router, and the services that nothing but its endpoints and jobs use. */
export const buildManagement = (needs: PartsNeeds & BaseParts & AccountParts & ChannelParts & CallParts) => {
  const { config, db, clock, vault, log, redis, hosts, limiter, audit, accounts, options, logs, recordings } = needs
  const { seenAddresses, activityOf, tokens, redemptions, status, users, self, sessions, devices } = needs
  const { login, registration, recovery, humanCheck, oauth, states, amountText } = needs
  const { prices, channels, channelKeys, checks, vendorQueries, budgets, catalog, counts, health } = needs
  const { tally, savedFailures, unknownCallers } = needs

  const limits = createLimits(limiter, config.limits)
  const idempotency = createIdempotency({ db, clock, vault })
  const authenticate = (headers: Headers, secure: boolean) =>
    sessions.authenticate({
      cookie: sessionCookie(headers, secure),
      authorization: headers.get('authorization') ?? undefined,
    })
  const router = createRouter({ limits, consoleOrigins: config.consoleOrigins, authenticate }, idempotency, log)

  const userTokens = createUserTokensService({
    ...{ db, clock, audit, logs, activityOf, refuseHigherRank },
    isRecordingEnabled: () => options.values().RecordingEnabled,
  })
  const ownLimits = createOwnLimits({ counts, accounts, tokens, options })
  const checkModelList = createCheckModelList({ db, channels, vendorQueries, clock })
  const changeModels = createChangeModels({ db, vault, audit })
  const modelLists = createModelListsService({ db, channels, changeModels, checkModelList, prices, options })
  const attention = createAttention({ channels, logs, savedFailures, options, modelLists, clock })
  const finder = createFinder({ channels, attention, modelLists })
  const order = createChannelOrder({ db, audit })
  const routes = createRoutesService({ db, clock, order, catalog, options, health, attention, tally, logs, budgets })
  const history = createHistory({ db, log })
  const logTail = createLogTail({ db, log })
  const warnings = createWarningsService({
    ...{ clock, catalog, options, prices, channels, channelKeys, tokens, users, accounts, budgets, amountText },
    isReachable: createIsReachable({ hosts }),
    addressesOf: seenAddresses.of,
  })
  const { alerts, destinations, job: alertsJob } = buildAlerts({ ...needs, attention })

  statusRoutes(router, status)
  sessionRoutes(router, { sessions, devices, login, registration, recovery, humanCheck })
  oauthRoutes(router, { oauth, states, sessions, devices })
  usersRoutes(router, { users, self, ownLimits, channels, logs, redemptions })
  tokensRoutes(router, tokens, userTokens)
  modelListsRoutes(router, modelLists)
  channelsRoutes(router, {
    ...{ channels, checks, vendorQueries, prices, attention, finder },
    explain: createExplain({ catalog, health, options, budgets }),
    bulk: createBulk({ db, vault, audit, finder, prices }),
    exportChannels: createExport({ db, clock, vault, audit, finder }),
    importChannels: createImport({ db, clock, vault, audit }),
  })
  routesRoutes(router, routes)
  channelKeysRoutes(router, { channelKeys, checks })
  redemptionsRoutes(router, redemptions)
  analyticsRoutes(router, {
    analytics: createAnalyticsService({ db, clock, tally, history }),
    attention: createNeedsAttention({ db, channels: attention, budgets, keys: userTokens, tally, clock, redis }),
  })
  recordingsRoutes(router, recordings)
  logsRoutes(router, { logs, unknownCallers, tail: logTail })
  optionsRoutes(router, options)
  auditRoutes(router, audit)
  budgetsRoutes(router, budgets)
  warningsRoutes(router, warnings)
  alertsRoutes(router, { alerts, destinations })

  return {
    ...{ router, limits, history, logTail, idempotency },
    modelListsJob: createModelListsJob({ db, catalog, channels, checkModelList, options, clock, log }),
    alerts: { ...alerts, ...alertsJob },
  }
}
