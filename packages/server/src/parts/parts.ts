import { createPackDays } from '../analytics/pack-days.ts'
import type { Changed } from '../database/changes.ts'
import { createJobs } from '../jobs/jobs.ts'
import { ensureRoot } from '../users/first-start.ts'
import { buildAccounts } from './account-parts.ts'
import { buildBase } from './base-parts.ts'
import { buildCalls } from './call-parts.ts'
import { buildChannels } from './channel-parts.ts'
import { buildManagement } from './management-parts.ts'
import type { PartsNeeds } from './parts-needs.ts'

export type Parts = ReturnType<typeof buildParts>

/** Builds every service from its needs, bottom up, and binds the routes. */
export const buildParts = (needs: PartsNeeds) => {
  const base = { ...needs, ...buildBase(needs) }
  const withAccounts = { ...base, ...buildAccounts(base) }
  const withChannels = { ...withAccounts, ...buildChannels(withAccounts) }
  const services = { ...withChannels, ...buildCalls(withChannels) }
  const { router, limits, history, logTail, idempotency, alerts, modelListsJob } = buildManagement(services)

  const { config, db, clock, log, options, ledger, recorder, accounts, sessions, openAccount, notifications } = services
  const { ledgerAlarm, seenAddresses, catalog, keys, watchdog, tally, savedFailures, batches, refusedCalls } = services
  const packDays = createPackDays({ db, clock })

  const forgetting: Record<Changed, () => void> = {
    // Calls read both together.
    options: () => {
      options.forget()
      catalog.forget()
    },
    channels: catalog.forget,
    keys: keys.forget,
  }

  return {
    ...services.monitoring,
    /** Another node has changed something that this one caches. */
    changed: (what: Changed) => forgetting[what](),
    /** A request to this node may have changed any of it. */
    changedHere() {
      forgetting.options()
      keys.doubt()
    },
    ...{ router, limits, surface: services.surface },
    ...{ watchdog, tally, savedFailures, seenAddresses, history, packDays, refusedCalls, recorder, logTail },
    ...{ options, notifications, accounts, sessions, ledger, openAccount, ledgerAlarm },
    jobs: [
      history.job,
      packDays.job,
      batches.job,
      services.revokedCallers,
      modelListsJob,
      ...createJobs({ ...services, location: config.database, idempotency, alerts }),
    ],
    firstStart: () => ensureRoot({ db, ledger, openAccount, options, log, rootPassword: config.rootPassword }),
  }
}
