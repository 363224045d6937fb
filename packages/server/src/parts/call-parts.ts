import { createLatencyTally } from '../analytics/latency-tally.ts'
import { countRefused } from '../analytics/refused-figures.ts'
import { createBatches } from '../batches/batches.ts'
import type { Charging } from '../batches/settle-batch.ts'
import { createBudgetWarnings } from '../budgets/budget-warnings.ts'
import { createOpenFiles } from '../common/open-files.ts'
import { createCallLedger } from '../ledger/call-ledger.ts'
import { createRefusedCalls } from '../logs/refused-calls.ts'
import { createSavedFailures } from '../logs/saved-failures.ts'
import { createUnknownCallers } from '../logs/unknown-callers.ts'
import { createAffinity } from '../relay/affinity.ts'
import { createKeys } from '../relay/caller/keys.ts'
import { createRevokedCallers } from '../relay/caller/revoked-callers.ts'
import { createProxyCall } from '../relay/lanes/proxy-call.ts'
import { createRecentItems } from '../relay/lanes/recent-items.ts'
import { createSharedItems } from '../relay/lanes/shared-items.ts'
import { createLateStarts } from '../relay/late-starts.ts'
import { createQuietTimes } from '../relay/quiet-times.ts'
import { createRateLimiting } from '../relay/rate-limits/rate-limits.ts'
import { createRealtime } from '../relay/realtime/realtime.ts'
import { createRefusals } from '../relay/refusals.ts'
import { createRelay } from '../relay/relay.ts'
import { createSettle } from '../relay/settlement.ts'
import { createBilling } from '../relay/surfaces/billing.ts'
import { createRelayRoutes } from '../relay/surfaces/relay-routes.ts'
import { createWatchdog } from '../relay/timeouts/watchdog.ts'
import { createUpstream } from '../upstream/open.ts'
import type { AccountParts } from './account-parts.ts'
import type { BaseParts } from './base-parts.ts'
import type { ChannelParts } from './channel-parts.ts'
import { buildMonitoring, countersFor } from './monitoring-parts.ts'
import type { PartsNeeds } from './parts-needs.ts'

export type CallParts = ReturnType<typeof buildCalls>

/** The relay: every step of a call, what is counted with it, and the endpoints for clients. */
export const buildCalls = (needs: PartsNeeds & BaseParts & AccountParts & ChannelParts) => {
  const { config, db, changes, books, clock, vault, log, redis } = needs
  const { http, sockets, options, recorder, amountText, seenAddresses, tokens, notifications } = needs
  const { catalog, activeBudgets: budgets, counts, keyPools, health, reaction, credentials } = needs

  const keys = createKeys({ tokens, changes, clock, onUse: seenAddresses.note })
  const rateLimiting = createRateLimiting({ counts, options, clock })
  const watchdog = createWatchdog(clock)
  const ledger = createCallLedger({ ...books, clock, log, amountText })
  const upstream = createUpstream({ clock, onFailure: reaction.failed })
  const tally = createLatencyTally({ db, log })
  const savedFailures = createSavedFailures({ db, clock, log })
  const callMetrics = countersFor(config)
  const budgetWarnings = createBudgetWarnings({ db, notify: notifications.budgetUsed, log })
  const charging: Charging = {
    keepLogs: () => options.values().LogConsumeEnabled,
    onBalance: (change) => void notifications.balanceFell(change),
    onBudgets: budgetWarnings,
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

  const calling = { keys, catalog, options, ledger, budgets, rateLimiting, http, clock }
  const opening = { ...calling, sockets, credentials, upstream, watchdog, health, keyPools }
  const batches = createBatches({ ...opening, db, charging, tokens, amountText, log })
  const items = createRecentItems({ clock, shared: redis && createSharedItems(redis, vault) })
  const quiet = createQuietTimes(clock)
  const relay = createRelay({
    ...{ ...opening, recorder, settle, items, quiet },
    startBackground: batches.background.create,
    filesOf: batches.filesOf,
    openFiles: createOpenFiles(),
    affinity: createAffinity(clock),
  })
  const refusedCalls = createRefusedCalls({ db, clock, log, count: countRefused })
  const unknownCallers = createUnknownCallers(clock)
  const revokedCallers = createRevokedCallers({ tokens, watchdog })
  const monitoring = buildMonitoring({ ...needs, watchdog, callMetrics })
  const surface = createRelayRoutes({
    ...{ relay, keys, catalog, options, items, log },
    realtime: createRealtime({ relay, catalog, sockets, credentials, settle, health, keyPools, upstream, clock }),
    proxyCall: createProxyCall({ ...calling, watchdog }),
    billing: createBilling({ options, tokens }),
    noteRefusal: createRefusals({ catalog, keys, refusedCalls, unknownCallers, clock }),
    lateStarts: createLateStarts(quiet),
    batches: batches.surface,
    showBackground: batches.background.show,
    trace: monitoring.telemetry?.trace,
  })

  return {
    keys,
    watchdog,
    tally,
    savedFailures,
    batches,
    refusedCalls,
    revokedCallers,
    unknownCallers,
    monitoring,
    surface,
  }
}
