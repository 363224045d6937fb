import type { BudgetScope, Text } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Db } from '../database/client.ts'
import type { BudgetClaim } from '../ledger/books.ts'
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
  let byScope: RulesByScope = NO_RULES
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
      byScope = {
        key: ofScope(rules, 'key'),
        user: ofScope(rules, 'user'),
        group: ofScope(rules, 'group'),
        channel: ofScope(rules, 'channel'),
      }
      byId = new Map(rules.map((rule) => [rule.row.id, rule]))
      version = found
    },

    /** Undefined when there are no budgets at all, which costs nothing. */
    claims(call: CountedCall): readonly BudgetClaim[] | undefined {
      if (byId.size === 0) return undefined
      const now = seconds(clock)
      const claims: BudgetClaim[] = []
      const add = (rules: ReadonlyMap<string, Rule[]>, target: string | number) => {
        if (rules.size === 0) return
        for (const rule of rules.get(String(target)) ?? NONE) {
          const { model } = rule.row
          if (model === '' || model === call.model) claims.push(claimOf(rule, now))
        }
      }
      add(byScope.key, call.tokenId)
      add(byScope.user, call.userId)
      add(byScope.group, call.group)
      add(byScope.channel, call.channel)
      return claims
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

/** By target. */
type RulesByScope = Record<BudgetScope, ReadonlyMap<string, Rule[]>>

const NO_RULES: RulesByScope = { key: new Map(), user: new Map(), group: new Map(), channel: new Map() }

const ofScope = (rules: readonly Rule[], scope: BudgetScope) =>
  Map.groupBy(
    rules.filter(({ row }) => row.scope === scope),
    ({ row }) => row.target,
  )

function currentPart(id: number, calendar: BudgetCalendar, now: number) {
  const { slot, from, until, ends } = windowAt(calendar, now)
  return { claim: { id, slot, from, until }, begins: slot, ends }
}
