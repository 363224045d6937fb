import { type Budget, BudgetScope, type budgets, commaList, isAdmin, isRoot, type Received } from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import type { Actor } from '../common/actor.ts'
import { isZone } from '../common/calendar.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import { pageWindow } from '../database/page-window.ts'
import type { OptionsService } from '../options/options-service.ts'
import { refuseHigherRank } from '../users/ranks.ts'
import { budgetName } from './budget-warnings.ts'
import { calendarOf, windowAt } from './budget-window.ts'
import { budgetsRepository, type StoredBudget } from './budgets-repository.ts'
import { shownBudgets } from './shown-budgets.ts'
import { spentBudgets } from './spent-budgets.ts'

export type BudgetsService = ReturnType<typeof createBudgetsService>

interface Needs {
  db: Db
  clock: Clock
  audit: AuditService
  options: OptionsService
}

type Creation = Received<typeof budgets.create>['body']
type Edit = Received<typeof budgets.update>['body']
type Amounts = Omit<Creation, 'scope' | 'target' | 'model'>

/** Every call of the target checks each of them. */
const PER_TARGET_MAX = 20

/** No period reaches further back. */
const USAGE_KEPT_SEC = 100 * 86_400
/** More slots than a period has, twice: a clock that was far ahead for a while must not make spending forgotten. */
const SLOTS_KEPT = 64

export const createBudgetsService = ({ db, clock, audit, options }: Needs) => {
  const binding = (actor: Actor) =>
    budgetsRepository(db).binding({ userId: actor.id, groups: ['', ...commaList(actor.group)] })

  const ownedBy = async (userId: number) =>
    (await budgetsRepository(db).binding({ userId, groups: [''] })).filter(({ scope }) => scope !== 'group')

  /** What belongs to others is treated as not existing. */
  const visible = async (actor: Actor, id: number) => {
    const row = isAdmin(actor.role)
      ? await budgetsRepository(db).find(id)
      : (await binding(actor)).find((each) => each.id === id)
    if (row === undefined) throw new GatewayError('budget.not_found')
    return row
  }

  const changeable = async (actor: Actor, id: number) => {
    const row = await visible(actor, id)
    const owner = await budgetsRepository(db).ownerOf(row)
    refuseRank(actor, row, owner)
    const isOwn = isOwnKey(actor, row, owner)
    if (isOwn ? row.managed === 1 && !isRoot(actor.role) : !isAdmin(actor.role))
      throw new GatewayError('budget.managed')
    return row
  }

  const refuseTarget = async (actor: Actor, { scope, target }: Pick<Creation, 'scope' | 'target'>) => {
    const repository = budgetsRepository(db)
    if (scope === 'group') {
      if (!isAdmin(actor.role)) throw new GatewayError('budget.own_keys_only')
      if (!options.values().GroupRatio.has(target)) throw new GatewayError('budget.no_target')
      return
    }
    const id = /^[1-9]\d{0,14}$/.test(target) ? Number(target) : 0
    if (!isAdmin(actor.role)) {
      if (scope !== 'key') throw new GatewayError('budget.own_keys_only')
      if ((await repository.ownerOfKey(id)) !== actor.id) throw new GatewayError('budget.no_target')
    }
    if (!(await repository.names(scope, [id])).has(target)) throw new GatewayError('budget.no_target')
    refuseRank(actor, { scope }, await repository.ownerOf({ scope, target }))
  }

  const shown = (rows: readonly StoredBudget[], reader: { id: number }) =>
    shownBudgets(budgetsRepository(db), rows, { readerId: reader.id, now: seconds(clock) })

  return {
    async page(actor: Actor, query: { scope: string; target: string; p: number }) {
      const { rows, total } = await budgetsRepository(db).page({ ...query, page: query.p })
      return { rows: await shown(rows, actor), total }
    },

    spentFor: (model: string) => spentBudgets(budgetsRepository(db), model, seconds(clock)),

    /** A page of the budgets that apply to a user. */
    async binding(actor: Actor, page: number) {
      const rows = await binding(actor)
      const { limit, offset } = pageWindow(page)
      return { rows: await shown(rows.slice(offset, offset + limit), actor), total: rows.length }
    },

    /** Of the budgets that apply to a user, those of which at least this share is used, the fullest first. */
    async nearEnd(actor: Actor, share: number) {
      const now = seconds(clock)
      const usedShare = ({ used, held, quota, raise_quota, raise_until }: Budget) =>
        (used + held) / (now < raise_until ? quota + raise_quota : quota)
      const budgets = await shown(await binding(actor), actor)
      return budgets
        .filter((budget) => usedShare(budget) >= share)
        .toSorted((one, other) => usedShare(other) - usedShare(one))
    },

    async get(actor: Actor, id: number) {
      const [budget] = await shown([await visible(actor, id)], actor)
      if (budget === undefined) throw new GatewayError('budget.not_found')
      return budget
    },

    /** What a budget applies to, stored or not; what the caller may not limit is refused as in saving it. */
    async meant(
      actor: Actor,
      asked: { id?: number | undefined; scope?: BudgetScope | undefined; target: string; model: string },
    ) {
      if (asked.id !== undefined) {
        const row = await changeable(actor, asked.id)
        const { id, scope, target, model, quota, raise_quota, raise_until } = row
        const now = seconds(clock)
        const { used } = await budgetsRepository(db).usage({ id, ...windowAt(calendarOf(row), now) })
        const raise = now < raise_until ? raise_quota : 0
        return { scope: BudgetScope.parse(scope), target, model, quota, used, raise }
      }
      const { scope = 'key', target, model } = asked
      await refuseTarget(actor, { scope, target })
      return { scope, target, model, quota: 0, used: 0, raise: 0 }
    },

    ownerOfKey: async (target: string) => (await budgetsRepository(db).ownerOfKey(Number(target))) ?? 0,

    async create(by: By, fields: Creation) {
      refuseZone(fields.zone)
      await refuseTarget(by.actor, fields)
      const owner = await budgetsRepository(db).ownerOf(fields)
      return transact(db, async (tx) => {
        const repository = budgetsRepository(tx)
        const { scope, target, model } = fields
        if ((await repository.countOf(scope, target)) >= PER_TARGET_MAX) {
          throw new GatewayError('budget.too_many', { max: PER_TARGET_MAX })
        }
        const { id } = await repository.insert({
          ...{ scope, target, model, ...columnsOf(fields) },
          managed: isOwnKey(by.actor, fields, owner) ? 0 : 1,
          created_time: seconds(clock),
          changed: 1,
        })
        await audit.record(tx, by, { action: 'budget.create', target: `budget:${id}`, after: { ...fields } })
        return id
      })
    },

    async update(by: By, { id, ...fields }: Edit) {
      if (fields.zone !== undefined) refuseZone(fields.zone)
      const before = await changeable(by.actor, id)
      const after = await transact(db, async (tx) => {
        const row = await budgetsRepository(tx).update(id, editedColumns(fields))
        if (row === undefined) throw new GatewayError('budget.not_found')
        const change = { action: 'budget.update', target: `budget:${id}`, before: facts(before), after: facts(row) }
        await audit.record(tx, by, change)
        return row
      })
      const [budget] = await shown([after], by.actor)
      if (budget === undefined) throw new GatewayError('budget.not_found')
      return budget
    },

    async remove(by: By, id: number) {
      const before = await changeable(by.actor, id)
      await transact(db, async (tx) => {
        await budgetsRepository(tx).remove(id)
        await audit.record(tx, by, { action: 'budget.remove', target: `budget:${id}`, before: facts(before) })
      })
    },

    /** The usage of each: of a user's own and of the keys, or of those without an owner. */
    async uses(ownerId: number | undefined) {
      const repository = budgetsRepository(db)
      const rows = ownerId === undefined ? await repository.unowned() : await ownedBy(ownerId)
      const now = seconds(clock)
      return Promise.all(
        rows.map(async (row) => ({
          id: row.id,
          name: await budgetName(db, row),
          used: (await repository.usage({ id: row.id, ...windowAt(calendarOf(row), now) })).used,
          limit: now < row.raise_until ? row.quota + row.raise_quota : row.quota,
        })),
      )
    },

    removeOldUsage: () => budgetsRepository(db).removeUsageBefore(seconds(clock) - USAGE_KEPT_SEC, SLOTS_KEPT),
  }
}

type Owner = Awaited<ReturnType<ReturnType<typeof budgetsRepository>['ownerOf']>>

const isOwnKey = (actor: Actor, { scope }: { scope: string }, owner: Owner) => scope === 'key' && owner?.id === actor.id

/** Like every other change of an account, a budget is for those of a lower rank. One's own key is limited by its owner. */
function refuseRank(actor: Actor, budget: { scope: string }, owner: Owner) {
  if (isAdmin(actor.role) && owner !== undefined && !isOwnKey(actor, budget, owner)) refuseHigherRank(actor, owner)
}

function refuseZone(zone: string) {
  if (!isZone(zone)) throw new GatewayError('budget.bad_zone', { zone })
}

const columnsOf = ({ quota, period, rolling, zone, raise_quota, raise_until }: Amounts) => ({
  ...{ quota, period, zone, raise_quota, raise_until },
  rolling: isRolling(rolling),
})

const editedColumns = ({ rolling, ...others }: Omit<Edit, 'id'>) => ({
  ...others,
  ...(rolling !== undefined && { rolling: isRolling(rolling) }),
})

const isRolling = (rolling: boolean) => (rolling ? (1 as const) : (0 as const))

function facts({ scope, target, model, quota, period, rolling, zone, raise_quota, raise_until }: StoredBudget) {
  return { scope, target, model, quota, period, rolling: rolling === 1, zone, raise_quota, raise_until }
}
