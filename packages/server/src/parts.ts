import { createAlertDestinationsService } from './alerts/alert-destinations-service.ts'
import { createEvaluation } from './alerts/alert-evaluation.ts'
import { createOutbox } from './alerts/alert-outbox.ts'
import { alertRulesRepository } from './alerts/alert-rules-repository.ts'
import { createAlertsJob } from './alerts/alerts-job.ts'
import { alertsRoutes } from './alerts/alerts-routes.ts'
import { createAlertsService } from './alerts/alerts-service.ts'
import { createConditions } from './alerts/conditions/conditions.ts'
import { createSendAlert } from './alerts/send-alert.ts'
import { analyticsRoutes } from './analytics/analytics-routes.ts'
import { createAnalyticsService } from './analytics/analytics-service.ts'
import { createHistory } from './analytics/history.ts'
import { createLatencyTally } from './analytics/latency-tally.ts'
import { createNeedsAttention } from './analytics/needs-attention.ts'
import { countRefused } from './analytics/refused-figures.ts'
import { createRollUp } from './analytics/roll-up.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { createAuditService } from './audit/audit-service.ts'
import { createBatches } from './batches/batches.ts'
import type { Charging } from './batches/settle-batch.ts'
import { createActiveBudgets } from './budgets/active-budgets.ts'
import { createBudgetWarnings } from './budgets/budget-warnings.ts'
import { budgetsRoutes } from './budgets/budgets-routes.ts'
import { createBudgetsService } from './budgets/budgets-service.ts'
import { createCatalogService } from './catalog/catalog-service.ts'
import { createPrices } from './catalog/prices.ts'
import { createChangeModels } from './channels/change-models.ts'
import { createAttention } from './channels/channel-attention.ts'
import { createBulk } from './channels/channel-bulk.ts'
import { createChannelChecks } from './channels/channel-checks.ts'
import { createFinder } from './channels/channel-finder.ts'
import { channelKeysRoutes } from './channels/channel-keys-routes.ts'
import { createChannelKeysService } from './channels/channel-keys-service.ts'
import { createChannelOrder } from './channels/channel-order.ts'
import { channelsRoutes } from './channels/channels-routes.ts'
import { createChannelsService } from './channels/channels-service.ts'
import { createExport } from './channels/export-channels.ts'
import { createFailureReaction } from './channels/failure-reaction.ts'
import { createImport } from './channels/import-channels.ts'
import { createKeyFailures } from './channels/key-failures.ts'
import { createVendorQueries } from './channels/vendor-queries.ts'
import { type Clock, seconds } from './common/clock.ts'
import type { Config } from './common/config.ts'
import type { Log } from './common/log.ts'
import { createOpenFiles } from './common/open-files.ts'
import type { Redis } from './common/redis.ts'
import { CHANGES, type Changed } from './database/changes.ts'
import type { Db } from './database/client.ts'
import { createLimits } from './http/limits.ts'
import { createRouter } from './http/management-api.ts'
import { sessionCookie } from './http/session-cookie.ts'
import { createIdempotency } from './idempotency/idempotency-service.ts'
import { createGitHub } from './integrations/github.ts'
import { createLark } from './integrations/lark.ts'
import { createMailer } from './integrations/mail.ts'
import { createPusher } from './integrations/pusher.ts'
import { createTurnstile } from './integrations/turnstile.ts'
import { createWeChat } from './integrations/wechat.ts'
import { createBooksAlarm } from './jobs/books-alarm.ts'
import { createJobs } from './jobs/jobs.ts'
import { createSharedRun } from './jobs/shared-run.ts'
import { createCallLedger } from './ledger/call-ledger.ts'
import { createLedger } from './ledger/ledger.ts'
import type { Journal } from './ledger/stores/journal.ts'
import type { TakeLock } from './ledger/stores/locks.ts'
import type { Epochs } from './ledger/stores/owner.ts'
import type { LedgerWriter } from './ledger/stores/writer.ts'
import { createCallCounts } from './limits/call-counts.ts'
import { createLimiter } from './limits/limiter.ts'
import { createPasswordGuesses } from './limits/password-guesses.ts'
import { createRedisWindows } from './limits/redis-windows.ts'
import { createSharedCounts } from './limits/shared-counts.ts'
import { createLogTail } from './logs/log-tail.ts'
import { logsRoutes } from './logs/logs-routes.ts'
import { createLogsService } from './logs/logs-service.ts'
import { quotaText } from './logs/quota-text.ts'
import { createRefusedCalls } from './logs/refused-calls.ts'
import { createSavedFailures } from './logs/saved-failures.ts'
import { createUnknownCallers } from './logs/unknown-callers.ts'
import { createOutgoingMail } from './mail/outgoing-mail.ts'
import { createCallMetrics } from './metrics/call-metrics.ts'
import { exposition } from './metrics/exposition.ts'
import { createProcessMetrics } from './metrics/process-metrics.ts'
import { createCheckModelList } from './model-lists/check-model-list.ts'
import { createModelListsJob } from './model-lists/model-lists-job.ts'
import { modelListsRoutes } from './model-lists/model-lists-routes.ts'
import { createModelListsService } from './model-lists/model-lists-service.ts'
import { createNotificationsService } from './notifications/notifications-service.ts'
import { oauthRoutes } from './oauth/oauth-routes.ts'
import { createOauthService } from './oauth/oauth-service.ts'
import { createOauthStates } from './oauth/oauth-states.ts'
import { optionsRoutes } from './options/options-routes.ts'
import { createOptionsService } from './options/options-service.ts'
import { createRecorder } from './recordings/recorder.ts'
import { recordingsRoutes } from './recordings/recordings-routes.ts'
import { createRecordingsService } from './recordings/recordings-service.ts'
import { redemptionsRoutes } from './redemptions/redemptions-routes.ts'
import { createRedemptionsService } from './redemptions/redemptions-service.ts'
import { createAffinity } from './relay/affinity.ts'
import { createKeys } from './relay/caller/keys.ts'
import { createProxyCall } from './relay/lanes/proxy-call.ts'
import { createRecentItems } from './relay/lanes/recent-items.ts'
import { createSharedItems } from './relay/lanes/shared-items.ts'
import { createProbe } from './relay/probe.ts'
import { createOwnLimits } from './relay/rate-limits/own-limits.ts'
import { createRateLimiting } from './relay/rate-limits/rate-limits.ts'
import { createRealtime } from './relay/realtime/realtime.ts'
import { createRefusals } from './relay/refusals.ts'
import { createRelay } from './relay/relay.ts'
import { createSettle } from './relay/settlement.ts'
import { createBilling } from './relay/surfaces/billing.ts'
import { createRelayRoutes } from './relay/surfaces/relay-routes.ts'
import { createWatchdog } from './relay/timeouts/watchdog.ts'
import { createExplain } from './routes/explain-routing.ts'
import { routesRoutes } from './routes/routes-routes.ts'
import { createRoutesService } from './routes/routes-service.ts'
import type { Vault } from './security/vault.ts'
import { createHumanCheck } from './session/human-check.ts'
import { createKnownDevices } from './session/known-devices.ts'
import { createLoginService } from './session/login-service.ts'
import { createMailCodes } from './session/mail-codes.ts'
import { createRecoveryService } from './session/recovery-service.ts'
import { createRegistrationService } from './session/registration-service.ts'
import { sessionRoutes } from './session/session-routes.ts'
import { createSessionsService } from './session/sessions-service.ts'
import { statusRoutes } from './status/status-routes.ts'
import { createStatusService } from './status/status-service.ts'
import type { CreateTelemetry } from './telemetry/telemetry.ts'
import { createKeyActivity } from './tokens/key-activity.ts'
import { createSeenAddresses } from './tokens/seen-addresses.ts'
import { tokensRoutes } from './tokens/tokens-routes.ts'
import { createTokensService } from './tokens/tokens-service.ts'
import { createUserTokensService } from './tokens/user-tokens-service.ts'
import { createCheckedHosts } from './upstream/checked-hosts.ts'
import { createCredentials } from './upstream/credentials.ts'
import { createHealth } from './upstream/health.ts'
import { createHttp } from './upstream/http.ts'
import { createKeyPools } from './upstream/key-pools.ts'
import { createUpstream } from './upstream/open.ts'
import { createReach } from './upstream/reachable.ts'
import { createSockets } from './upstream/sockets.ts'
import { createAccountsService } from './users/accounts-service.ts'
import { ensureRoot } from './users/first-start.ts'
import { createAccountOpener } from './users/open-account.ts'
import { refuseHigherRank } from './users/ranks.ts'
import { createSelfService } from './users/self-service.ts'
import { usersRoutes } from './users/users-routes.ts'
import { createUsersService } from './users/users-service.ts'
import { warningsRoutes } from './warnings/warnings-routes.ts'
import { createWarningsService } from './warnings/warnings-service.ts'

export interface PartsNeeds {
  config: Config
  db: Db
  books: { writer: LedgerWriter; epochs: Epochs; journal: Journal }
  locks: TakeLock
  clock: Clock
  vault: Vault
  log: Log
  redis: Redis | undefined
  /** Loaded only where traces or metrics are sent somewhere. */
  createTelemetry: CreateTelemetry | undefined
}

export type Parts = ReturnType<typeof buildParts>

/** Builds every service from its needs, bottom up, and binds the routes. This is the whole wiring. */
export const buildParts = ({ config, db, books, locks, clock, vault, log, redis, createTelemetry }: PartsNeeds) => {
  const ownAddress = `http://localhost:${config.port}`
  const limiter = createLimiter(clock, redis && createRedisWindows(redis))
  const ledger = createLedger(clock)

  const hosts = createCheckedHosts()
  const http = createHttp({ hosts })
  const sockets = createSockets({ hosts })
  const outside = { http, addresses: config.outside }
  const mailer = createMailer({ hosts })

  const audit = createAuditService({ db, clock })
  const accounts = createAccountsService({ db })
  const options = createOptionsService({ db, clock, vault, audit, log, accounts })
  const recorder = createRecorder({ db, clock, vault, log, bounds: () => options.values() })
  const recordings = createRecordingsService({
    ...{ db, clock, vault, audit },
    isEnabled: () => options.values().RecordingEnabled,
    flush: recorder.flush,
  })
  const logs = createLogsService({ db, clock, audit, log, recordings })
  const seenAddresses = createSeenAddresses({ db, clock, log })
  const activityOf = createKeyActivity({ db, clock, seen: seenAddresses })
  const tokens = createTokensService({ db, clock, vault, activityOf, recordings })
  const amountText = (quota: number) => {
    const { DisplayInCurrencyEnabled: inCurrency, QuotaPerUnit: perUnit } = options.values()
    return quotaText(quota, { inCurrency, perUnit })
  }
  const prices = createPrices({ options, clock })
  const channels = createChannelsService({ db, clock, vault, audit, prices })
  const redemptions = createRedemptionsService({ db, clock, vault, ledger, logs, options, audit })
  const { releasesRepository } = config
  const status = createStatusService({ options, startedAt: seconds(clock), releasesRepository })

  const openAccount = createAccountOpener({ clock, ledger, logs, options, tokens })
  const sessions = createSessionsService({ db, clock, accounts })
  const devices = createKnownDevices(vault)
  const guesses = createPasswordGuesses(limiter)
  const self = createSelfService({ db, sessions, guesses, recordings })

  const mail = createOutgoingMail({ db, mailer, options, limiter, accounts, logs, log })
  const codes = createMailCodes({ db, clock })
  const pusher = createPusher({ http })
  const { isCovered } = alertRulesRepository(db)
  const notifications = createNotificationsService({
    ...{ accounts, mail, pusher, options, clock, log, ownAddress, isCovered },
  })
  const booksAlarm = createBooksAlarm({ db, audit, notifications, log })
  const users = createUsersService({ db, ledger, logs, options, audit, openAccount, notifications, recordings })

  const humanCheck = createHumanCheck({ options, turnstile: createTurnstile(outside) })
  const login = createLoginService({ accounts, options, guesses })
  const registration = createRegistrationService({ db, accounts, codes, mail, openAccount, options })
  const recovery = createRecoveryService({ db, accounts, codes, mail, options, log, ownAddress })
  const states = createOauthStates({ db, clock })
  const oauth = createOauthService({
    db,
    accounts,
    codes,
    github: createGitHub(outside),
    lark: createLark(outside),
    wechat: createWeChat({ http }),
    openAccount,
    options,
    ownAddress,
  })

  const budgets = createBudgetsService({ db, clock, audit, options })
  const activeBudgets = createActiveBudgets({ db, clock, amountText })
  const catalog = createCatalogService({ channels, options, budgets: activeBudgets, prices, clock })
  const counts = createCallCounts(clock, redis && createSharedCounts(redis))
  const keyPools = createKeyPools({
    clock,
    counts,
    poolOf: (channel) => catalog.snapshot().routes.get(channel)?.pool,
    onFailure: createKeyFailures({ db, catalog, clock, log }),
  })
  const health = createHealth(clock, keyPools, (channel) => catalog.snapshot().routes.get(channel)?.ignoredFailures)
  const reaction = createFailureReaction({ catalog, health, channels, options, notifications, log })
  const credentials = createCredentials({ http, clock })
  const probe = createProbe({ http, sockets, credentials, clock })
  const channelKeys = createChannelKeysService({ db, clock, vault, audit })
  const checks = createChannelChecks({
    catalog,
    channels,
    channelKeys,
    probe,
    health,
    keyPools,
    logs,
    options,
    notifications,
    reaction,
    run: createSharedRun(db, locks, log, 'channel tests'),
    clock,
  })
  const questions = createVendorQueries({ catalog, channels, prices, http, credentials, clock, log })
  const keys = createKeys({ tokens, clock, onUse: seenAddresses.note })
  const rateLimiting = createRateLimiting({ counts, options, clock })
  const watchdog = createWatchdog(clock)
  const callLedger = createCallLedger({ ...books, clock, log, amountText })
  const proxyCall = createProxyCall({
    keys,
    catalog,
    options,
    ledger: callLedger,
    budgets: activeBudgets,
    rateLimiting,
    http,
    clock,
  })
  const upstream = createUpstream({ clock, onFailure: reaction.failed })
  const budgetWarnings = createBudgetWarnings({ db, tell: notifications.budgetUsed, log })
  const tally = createLatencyTally({ db, log })
  const savedFailures = createSavedFailures({ db, clock, log })
  const history = createHistory({ db, log })
  const rollUp = createRollUp({ db, clock })
  const isScraped = config.metricsToken !== undefined || config.metricsPort !== undefined
  const callMetrics = isScraped || config.otlp?.metricsUrl !== undefined ? createCallMetrics() : undefined
  const charging: Charging = {
    keepLogs: () => options.values().LogConsumeEnabled,
    onBalance: (change) => void notifications.balanceFell(change),
    onBudgets: (changes) => changes.forEach((change) => void budgetWarnings(change)),
    count: callMetrics?.count,
  }
  const settle = createSettle({
    ...{ clock, log, ...charging },
    onSettled: (call) => {
      tally.note(call)
      savedFailures.note(call)
    },
    onAnomaly: (call) => void notifications.usageAnomaly(call),
  })
  const items = createRecentItems({ clock, shared: redis && createSharedItems(redis, vault) })
  const batches = createBatches({
    ...{ db, keys, catalog, options, ledger: callLedger, budgets: activeBudgets, rateLimiting, upstream, watchdog },
    ...{ health, keyPools, http, sockets, credentials, charging, clock, log },
  })
  const relay = createRelay({
    startBackground: batches.background.create,
    openFiles: createOpenFiles(),
    recorder,
    keys,
    catalog,
    options,
    ledger: callLedger,
    budgets: activeBudgets,
    rateLimiting,
    upstream,
    health,
    keyPools,
    watchdog,
    settle,
    http,
    sockets,
    credentials,
    items,
    affinity: createAffinity(clock),
    clock,
  })
  const realtime = createRealtime({ relay, catalog, sockets, credentials, settle, health, keyPools, upstream, clock })
  const billing = createBilling({ options, tokens })
  const refusedCalls = createRefusedCalls({ db, clock, log, count: countRefused })
  const unknownCallers = createUnknownCallers(clock)
  const noteRefusal = createRefusals({ catalog, keys, refusedCalls, unknownCallers, clock })
  const processMetrics = () =>
    createProcessMetrics({
      openCalls: watchdog.running,
      ledger: books.writer,
      databaseAnswers: books.writer.answers,
      redisAnswers: () => redis?.answers() ?? true,
      startedAtSec: seconds(clock),
      recordingsDropped: recorder.dropped,
    })
  const telemetry =
    config.otlp && createTelemetry?.({ config: config.otlp, http, clock, log, callMetrics, process: processMetrics() })
  const surface = createRelayRoutes({
    relay,
    realtime,
    proxyCall,
    keys,
    catalog,
    options,
    billing,
    log,
    items,
    noteRefusal,
    batches: batches.surface,
    showBackground: batches.background.show,
    trace: telemetry?.trace,
  })

  const limits = createLimits(limiter, config.limits)
  const idempotency = createIdempotency({ db, clock, vault })
  const router = createRouter(
    {
      limits,
      consoleOrigins: config.consoleOrigins,
      authenticate: (headers, secure) =>
        sessions.authenticate({
          cookie: sessionCookie(headers, secure),
          authorization: headers.get('authorization') ?? undefined,
        }),
    },
    idempotency,
    log,
  )
  statusRoutes(router, status)
  sessionRoutes(router, { sessions, devices, login, registration, recovery, humanCheck })
  oauthRoutes(router, { oauth, states, sessions, devices })
  const ownLimits = createOwnLimits({ counts, accounts, tokens, options })
  usersRoutes(router, { users, self, ownLimits, channels, logs, redemptions })
  tokensRoutes(
    router,
    tokens,
    createUserTokensService({
      ...{ db, clock, audit, logs, activityOf, refuseHigherRank },
      isRecordingEnabled: () => options.values().RecordingEnabled,
    }),
  )
  const look = createCheckModelList({ db, channels, questions, clock })
  const changeModels = createChangeModels({ db, vault, audit })
  const modelLists = createModelListsService({ db, channels, changeModels, look, prices, options })
  modelListsRoutes(router, modelLists)
  const attention = createAttention({ channels, logs, savedFailures, options, modelLists, clock })
  const finder = createFinder({ channels, attention, modelLists })
  channelsRoutes(router, {
    ...{ channels, checks, questions, prices },
    explain: createExplain({ catalog, health, options }),
    ...{ attention, finder },
    bulk: createBulk({ db, vault, audit, finder }),
    exportChannels: createExport({ db, clock, vault, audit, finder }),
    importChannels: createImport({ db, clock, vault, audit }),
  })
  const order = createChannelOrder({ db, audit })
  routesRoutes(
    router,
    createRoutesService({ db, clock, order, catalog, options, health, attention, tally, logs, budgets }),
  )
  channelKeysRoutes(router, { channelKeys, checks })
  redemptionsRoutes(router, redemptions)
  analyticsRoutes(router, {
    analytics: createAnalyticsService({ db, clock, tally, history }),
    attention: createNeedsAttention({ db, channels: attention, tally, clock, redis }),
  })
  const logTail = createLogTail({ db, log })
  recordingsRoutes(router, recordings)
  logsRoutes(router, { logs, unknownCallers, tail: logTail })
  optionsRoutes(router, options)
  auditRoutes(router, audit)
  budgetsRoutes(router, budgets)
  warningsRoutes(
    router,
    createWarningsService({
      ...{ clock, catalog, options, prices, channels, channelKeys, tokens, users, accounts, budgets, amountText },
      reaches: createReach({ hosts }),
      addressesOf: seenAddresses.of,
    }),
  )

  const site = () => {
    const { SystemName: name, ServerAddress } = options.values()
    return { name, address: ServerAddress || ownAddress }
  }
  const sendAlert = createSendAlert({ ...outside, mail, accounts, options, vault, clock })
  const conditions = createConditions({ db, channels, attention, budgets, audit, amountText })
  const alertsJob = createAlertsJob({
    clock,
    options,
    evaluate: createEvaluation({ db, conditions, site, clock, log }),
    sendDue: createOutbox({ db, send: sendAlert, clock, log }),
  })
  const alerts = createAlertsService({ db, clock, audit, wake: alertsJob.wake })
  alertsRoutes(router, {
    alerts,
    destinations: createAlertDestinationsService({ db, clock, audit, vault, send: sendAlert, site }),
  })

  const forgetting: Record<Changed, () => void> = {
    // Calls read both together.
    options: () => {
      options.forget()
      catalog.forget()
    },
    channels: catalog.forget,
    keys: keys.forget,
  }

  const scrapedProcess = processMetrics()

  return {
    /** Undefined if they are not configured. */
    metrics: isScraped && callMetrics ? () => exposition([...callMetrics.read(), ...scrapedProcess()]) : undefined,
    /** Another node has changed something of what this one keeps in memory. */
    changed: (what: Changed) => forgetting[what](),
    /** A call of this node's may have changed any of it. */
    changedHere() {
      for (const what of CHANGES) forgetting[what]()
    },
    /** False while calls are refused because the database keeps the ledger waiting. */
    ledgerAnswers: () => books.writer.answers(),
    /** True also if there is no such service. */
    redisAnswers: () => redis?.answers() ?? true,
    /** Undefined if nobody is notified. */
    telemetry,
    router,
    limits,
    surface,
    watchdog,
    tally,
    savedFailures,
    seenAddresses,
    history,
    rollUp,
    refusedCalls,
    recorder,
    logTail,
    options,
    notifications,
    accounts,
    sessions,
    ledger,
    openAccount,
    booksAlarm,
    jobs: [
      history.job,
      rollUp.job,
      batches.job,
      createModelListsJob({ db, catalog, channels, look, options, clock, log }),
      ...createJobs({
        db,
        location: config.database,
        clock,
        sessions,
        codes,
        states,
        idempotency,
        audit,
        booksAlarm,
        budgets,
        seenAddresses,
        recordings,
        logs,
        options,
        alerts: { ...alerts, ...alertsJob },
      }),
    ],
    firstStart: () => ensureRoot({ db, ledger, openAccount, options, log, rootPassword: config.rootPassword }),
  }
}
