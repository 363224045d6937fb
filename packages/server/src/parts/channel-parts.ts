import { createActiveBudgets } from '../budgets/active-budgets.ts'
import { createBudgetsService } from '../budgets/budgets-service.ts'
import { createCatalogService } from '../catalog/catalog-service.ts'
import { createPrices } from '../catalog/prices.ts'
import { createChannelChecks } from '../channels/channel-checks.ts'
import { createChannelKeysService } from '../channels/channel-keys-service.ts'
import { createChannelsService } from '../channels/channels-service.ts'
import { createFailureReaction } from '../channels/failure-reaction.ts'
import { createKeyFailures } from '../channels/key-failures.ts'
import { createVendorQueries } from '../channels/vendor-queries.ts'
import { createSharedRun } from '../jobs/shared-run.ts'
import { createCallCounts } from '../limits/call-counts.ts'
import { createSharedCounts } from '../limits/shared-counts.ts'
import { createProbe } from '../relay/probe.ts'
import { createCredentials } from '../upstream/credentials.ts'
import { createHealth } from '../upstream/health.ts'
import { createKeyPools } from '../upstream/key-pools.ts'
import type { AccountParts } from './account-parts.ts'
import type { BaseParts } from './base-parts.ts'
import type { PartsNeeds } from './parts-needs.ts'

export type ChannelParts = ReturnType<typeof buildChannels>

/** The channels: their prices, budgets, keys, health and tests. */
export const buildChannels = (needs: PartsNeeds & BaseParts & AccountParts) => {
  const { db, clock, vault, log, redis, locks } = needs
  const { http, sockets, audit, options, logs, amountText, notifications } = needs

  const prices = createPrices({ options, clock })
  const channels = createChannelsService({ db, clock, vault, audit, prices })
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
  const channelKeys = createChannelKeysService({ db, clock, vault, audit })
  const checks = createChannelChecks({
    ...{ catalog, channels, channelKeys, health, keyPools, logs, options, notifications, reaction, clock },
    probe: createProbe({ http, sockets, credentials, clock }),
    run: createSharedRun(db, locks, log, 'channel tests'),
  })
  const vendorQueries = createVendorQueries({ catalog, channels, prices, http, credentials, clock, log })

  return {
    ...{ prices, channels, channelKeys, checks, vendorQueries, budgets, activeBudgets, catalog },
    ...{ counts, keyPools, health, reaction, credentials },
  }
}
