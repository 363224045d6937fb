import type { Received, routes } from '@tollgate/contract'
import type { BudgetsService } from '../budgets/budgets-service.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import { findCandidates } from '../relay/candidates.ts'
import type { Health } from '../upstream/health.ts'
import type { Lease } from '../upstream/lease.ts'
import { withPositions } from './changed-snapshot.ts'
import { freshSnapshot, routingQueryOf, withBudgets } from './route-query.ts'

interface Needs {
  catalog: CatalogService
  options: OptionsService
  health: Health
  budgets: Pick<BudgetsService, 'spentFor'>
}

/** Nothing is called, so there is nothing to report and no probe is used up. */
const NO_LEASE: Lease = {
  answered() {},
  succeeded() {},
  failed: () => ({ disable: false, reason: { zh: '', en: '' } }),
  release() {},
}

/** Draws as calls do, without making any. */
export const createDryRun =
  ({ catalog, options, health, budgets }: Needs) =>
  async ({ group, model, path, draws, changes }: Received<typeof routes.dryRun>['body']) => {
    const stored = await freshSnapshot(catalog)
    const snapshot = changes.length === 0 ? stored : withPositions(stored, changes)
    const asked = routingQueryOf({ group, model, path }, { options, snapshot, prices: catalog.prices() })
    const { wanted, health: now } = withBudgets(asked, health, await budgets.spentFor(asked.model))
    const looking = { ...now, take: () => NO_LEASE }
    const candidates = findCandidates(snapshot, looking, wanted)
    const order: { channel: number; name: string; group: string; priority: number }[] = []
    for (let next = candidates.next(); next !== undefined; next = candidates.next()) {
      const { id: channel, name, priority } = next.route
      order.push({ channel, name, group: next.group, priority })
    }
    const counts = new Map<number, number>()
    for (let drawn = 0; drawn < draws; drawn++) {
      const first = findCandidates(snapshot, looking, wanted).next()
      if (first === undefined) break
      counts.set(first.route.id, (counts.get(first.route.id) ?? 0) + 1)
    }
    const firsts = [...counts]
      .map(([channel, count]) => ({ channel, name: snapshot.routes.get(channel)?.name ?? '', count }))
      .sort((one, other) => other.count - one.count || one.channel - other.channel)
    return { order, tries: 1 + options.values().RetryTimes, draws, firsts }
  }
