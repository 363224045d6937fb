import {
  type AlertDeliveryState,
  AlertKindName,
  AlertMethodName,
  type AlertOwner,
  type AlertRule,
  type alerts,
  isAdmin,
  isAlertKindOf,
  type Received,
} from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { DAY } from '../common/time-units.ts'
import { type Db, transact } from '../database/client.ts'
import { alertDeliveriesRepository } from './alert-deliveries-repository.ts'
import { alertDestinationsRepository } from './alert-destinations-repository.ts'
import { destinationIds, readTitle } from './alert-evaluation.ts'
import { alertRulesRepository, type StoredRule } from './alert-rules-repository.ts'

export type AlertsService = ReturnType<typeof createAlertsService>

interface Needs {
  db: Db
  clock: Clock
  audit: AuditService
  /** Rules were created or changed. */
  wake(): void
}

type Creation = Received<typeof alerts.createRule>['body']
type Edit = Received<typeof alerts.updateRule>['body']

/** Every rule is evaluated every half minute. */
const RULES_MAX = 50

/** How many subjects of one rule are listed. */
const SHOWN_MAX = 5

const DELIVERIES_KEPT_SEC = 30 * DAY
/** Longer than any quiet time. */
const STATES_KEPT_SEC = 31 * DAY

/** The owner id; the gateway's belong to the administrators. */
export const ownerIdOf = (actor: Actor, owner: AlertOwner) => {
  if (owner === 'own') return actor.id
  if (!isAdmin(actor.role)) throw new GatewayError('session.forbidden')
  return 0
}

/** What belongs to others is treated as not existing. */
export const isVisible = (actor: Actor, ownerId: number) => (ownerId === 0 ? isAdmin(actor.role) : ownerId === actor.id)

/** The rules and the deliveries of their messages. */
export const createAlertsService = ({ db, clock, audit, wake }: Needs) => {
  const wire = async (rows: readonly StoredRule[]): Promise<AlertRule[]> => {
    const repository = alertRulesRepository(db)
    const firing = await repository.firing(rows.map(({ id }) => id))
    return Promise.all(
      rows.map(async ({ owner_id, ...row }) => ({
        ...row,
        owner: owner_id === 0 ? ('gateway' as const) : ('own' as const),
        kind: AlertKindName.parse(row.kind),
        enabled: row.enabled === 1,
        destinations: destinationIds(row),
        firing: firing.get(row.id) ?? 0,
        firing_now: firing.has(row.id) ? (await repository.newestFiring(row.id, SHOWN_MAX)).map(toFiring) : [],
      })),
    )
  }

  const own = async (actor: Actor, id: number) => {
    const row = await alertRulesRepository(db).find(id)
    if (row === undefined || !isVisible(actor, row.owner_id)) throw new GatewayError('alert.no_rule')
    return row
  }

  const refuseForeign = async (ownerId: number, ids: readonly number[]) => {
    const found = await alertDestinationsRepository(db).named(ownerId, ids)
    if (found.length < new Set(ids).size) throw new GatewayError('alert.no_destination', { field: 'destinations' })
  }

  return {
    rules: async (actor: Actor, owner: AlertOwner) => wire(await alertRulesRepository(db).all(ownerIdOf(actor, owner))),

    async createRule(by: By, { owner, kind, ...fields }: Creation) {
      const ownerId = ownerIdOf(by.actor, owner)
      if (!isAlertKindOf(kind, owner)) throw new GatewayError('alert.not_for_owner', { field: 'kind' })
      await refuseForeign(ownerId, fields.destinations)
      wake()
      return transact(db, async (tx) => {
        const repository = alertRulesRepository(tx)
        if ((await repository.count(ownerId)) >= RULES_MAX) throw new GatewayError('alert.too_many', { max: RULES_MAX })
        const row = { owner_id: ownerId, kind, ...columnsOf(fields), created_time: seconds(clock) }
        const { id } = await repository.insert(row)
        const after = { owner, kind, ...facts(row) }
        await audit.record(tx, by, { action: 'alert_rule.create', target: `alert_rule:${id}`, after })
        return id
      })
    },

    async updateRule(by: By, { id, ...fields }: Edit) {
      const before = await own(by.actor, id)
      if (fields.destinations !== undefined) await refuseForeign(before.owner_id, fields.destinations)
      wake()
      const after = await transact(db, async (tx) => {
        const row = await alertRulesRepository(tx).update(id, editedColumns(before, fields))
        if (row === undefined) throw new GatewayError('alert.no_rule')
        // A rule that is enabled again starts afresh.
        if (row.enabled === 0) await alertRulesRepository(tx).forgetStates(id)
        const change = { before: facts(before), after: facts(row) }
        await audit.record(tx, by, { action: 'alert_rule.update', target: `alert_rule:${id}`, ...change })
        return row
      })
      const [rule] = await wire([after])
      if (rule === undefined) throw new GatewayError('alert.no_rule')
      return rule
    },

    async removeRule(by: By, id: number) {
      const before = await own(by.actor, id)
      await transact(db, async (tx) => {
        await alertRulesRepository(tx).remove(id)
        const change = { action: 'alert_rule.remove', target: `alert_rule:${id}`, before: facts(before) }
        await audit.record(tx, by, change)
      })
    },

    async deliveries(
      actor: Actor,
      { owner, state, p }: { owner: AlertOwner; state: AlertDeliveryState | ''; p: number },
    ) {
      const ownerId = ownerIdOf(actor, owner)
      const { rows, total } = await alertDeliveriesRepository(db).page({ ownerId, state, page: p })
      return {
        rows: rows.map((row) => ({
          ...row,
          kind: row.kind === '' ? ('' as const) : AlertKindName.parse(row.kind),
          way: AlertMethodName.parse(row.way),
        })),
        total,
      }
    },

    async removeOld() {
      await alertDeliveriesRepository(db).removeBefore(seconds(clock) - DELIVERIES_KEPT_SEC)
      await alertRulesRepository(db).removeStatesOverSince(seconds(clock) - STATES_KEPT_SEC)
    },
  }
}

const toFiring = ({ title, since }: { title: string; since: number }) => ({ title: readTitle(title), since })

const columnsOf = ({ enabled, destinations, ...others }: Omit<Creation, 'owner' | 'kind'>) => ({
  ...others,
  enabled: asFlag(enabled),
  destinations: asText(destinations),
})

/** With the kind, which stays: an edit without any change is a statement, too. */
const editedColumns = (before: StoredRule, { enabled, destinations, ...others }: Omit<Edit, 'id'>) => ({
  ...{ kind: before.kind, ...others },
  ...(enabled !== undefined && { enabled: asFlag(enabled) }),
  ...(destinations !== undefined && { destinations: asText(destinations) }),
})

const asFlag = (enabled: boolean) => (enabled ? (1 as const) : (0 as const))
const asText = (destinations: readonly number[]) => JSON.stringify([...new Set(destinations)])

function facts(row: Pick<StoredRule, 'threshold' | 'minimum' | 'quiet_minutes' | 'enabled' | 'destinations'>) {
  const { threshold, minimum, quiet_minutes, enabled, destinations } = row
  return { threshold, minimum, quiet_minutes, enabled: enabled === 1, destinations }
}
