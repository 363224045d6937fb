import type { BudgetScope, Text } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Db } from '../database/client.ts'
import type { BudgetClaim } from '../ledger/commands.ts'
import { refusalOf } from './budget-refusal.ts'
import { type BudgetCalendar, calendarOf, windowAt } from './budget-window.ts'
import { budgetsRepository, type StoredBudget } from './budgets-repository.ts'

/** The owner and the channel of a call. */
export interface CountedCall {
  tokenId: number
  userId: number
  group: string
  channel: number
  model: string
}

interface Rule {
  row: StoredBudget
  calendar: BudgetCalendar
  /** The claim of the current calendar slot, until it ends. */
  claim: BudgetClaim
  begins: number
  ends: number
}

interface Needs {
  db: Db
  clock: Clock
  /** An amount of quota as people read it. */
  amountText(quota: number): Text
}

export type ActiveBudgets = ReturnType<typeof createActiveBudgets>

/** All budgets in memory: they are matched against every call. */
export const createActiveBudgets = ({ db, clock, amountText }: Needs) => {
  let version = ''
  let byTarget = new Map<string, Rule[]>()
  let byId = new Map<number, Rule>()

  const claimOf = (rule: Rule, now: number) => {
    if (now >= rule.begins && now < rule.ends) return rule.claim
    Object.assign(rule, currentPart(rule.row.id, rule.calendar, now))
    return rule.claim
  }

  return {
    /** Reloads them if they have changed. */
    async refresh() {
      const repository = budgetsRepository(db)
      const found = await repository.version()
      if (found === version) return
      const rows = await repository.all()
      const rules = rows.map((row): Rule => {
        const calendar = calendarOf(row)
        return { row, calendar, ...currentPart(row.id, calendar, seconds(clock)) }
      })
      byTarget = Map.groupBy(rules, ({ row }) => `${row.scope} ${row.target}`)
      byId = new Map(rules.map((rule) => [rule.row.id, rule]))
      version = found
    },

    /** Undefined when there are no budgets at all, which costs nothing. */
    claims(call: CountedCall): readonly BudgetClaim[] | undefined {
      if (byTarget.size === 0) return undefined
      const now = seconds(clock)
      return [
        ...(byTarget.get(`key ${call.tokenId}`) ?? NONE),
        ...(byTarget.get(`user ${call.userId}`) ?? NONE),
        ...(byTarget.get(`group ${call.group}`) ?? NONE),
        ...(byTarget.get(`channel ${call.channel}`) ?? NONE),
      ]
        .filter(({ row }) => row.model === '' || row.model === call.model)
        .map((rule) => claimOf(rule, now))
    },

    scopeOf: (id: number) => byId.get(id)?.row.scope as BudgetScope | undefined,

    /** The error for a call that the budget does not allow. */
    refusal(id: number): GatewayError {
      const row = byId.get(id)?.row
      return row === undefined ? new GatewayError('server.unavailable') : refusalOf(row, seconds(clock), amountText)
    },
  }
}

const NONE: readonly Rule[] = []

function currentPart(id: number, calendar: BudgetCalendar, now: number) {
  const { slot, from, until, ends } = windowAt(calendar, now)
  return { claim: { id, slot, from, until }, begins: slot, ends }
}
