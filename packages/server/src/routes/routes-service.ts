import { commaList } from '@tollgate/contract'
import type { LatencyTally } from '../analytics/latency-tally.ts'
import type { BudgetsService } from '../budgets/budgets-service.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Attention } from '../channels/channel-attention.ts'
import type { ChannelOrder } from '../channels/channel-order.ts'
import type { Clock } from '../common/clock.ts'
import type { Db } from '../database/client.ts'
import type { LogsService } from '../logs/logs-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Health } from '../upstream/health.ts'
import { createChangeOrder } from './change-order.ts'
import { createChoices } from './choices.ts'
import { createDryRun } from './dry-run.ts'
import { createGroupPrices } from './group-prices.ts'
import { createPlacement } from './placement.ts'
import { createRouteHealth } from './route-health.ts'
import { freshSnapshot } from './route-query.ts'
import { createRouteView } from './route-view.ts'
import { createSetPolicy } from './set-policy.ts'

interface Needs {
  db: Db
  clock: Clock
  order: ChannelOrder
  catalog: CatalogService
  options: OptionsService
  health: Health
  attention: Attention
  tally: LatencyTally
  logs: LogsService
  budgets: BudgetsService
}

export type RoutesService = ReturnType<typeof createRoutesService>

/** The order in which channels are tried: to view, try out, and change. */
export const createRoutesService = (needs: Needs) => ({
  view: createRouteView({ ...needs, healthOf: createRouteHealth(needs) }),
  models: async (group: string) => (await freshSnapshot(needs.catalog)).modelsOf(commaList(group)),
  choices: createChoices(needs),
  prices: createGroupPrices(needs),
  setPolicy: createSetPolicy(needs),
  dryRun: createDryRun(needs),
  placement: createPlacement(needs),
  change: createChangeOrder(needs),
})
