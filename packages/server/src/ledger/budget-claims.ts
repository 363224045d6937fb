import type { Books, BudgetAccount, BudgetClaim, BudgetSlot, Hold } from './books.ts'
import type { BudgetChange, Command } from './commands.ts'

/* What a call holds and spends of the budgets it counts against. */

/** The row of a hold has its claims as text, empty for none. */
export type HoldRow = Omit<Hold, 'budgets'> & { budgets: string }

export const claimsText = (claims: readonly BudgetClaim[]) => (claims.length === 0 ? '' : JSON.stringify(claims))

export const claimsIn = (text: string): readonly BudgetClaim[] => (text === '' ? [] : JSON.parse(text))

/** A row becomes the hold it stores. */
export const readHold = (row: HoldRow): Hold => Object.assign(row, { budgets: claimsIn(row.budgets) })

/** The budget without room for this amount; undefined when all have it. */
export const spentBudget = (books: Books, claims: readonly BudgetClaim[], amount: number, now: number) =>
  amount === 0 ? undefined : claims.find((claim) => !hasRoom(books.budgets.get(claim.id), claim, amount, now))

/** A budget that was removed meanwhile no longer applies. */
function hasRoom(account: BudgetAccount | undefined, claim: BudgetClaim, amount: number, now: number) {
  if (account === undefined) return true
  const { used, held } = sumOf(account, claim)
  return used + held + amount <= limitOf(account, now)
}

export const setAsideOf = (books: Books, claims: readonly BudgetClaim[], amount: number) =>
  eachSlot(books, claims, (slot) => {
    slot.held += amount
  })

export const spendOf = (books: Books, claims: readonly BudgetClaim[], amount: number) =>
  eachSlot(books, claims, (slot) => {
    slot.used += amount
  })

/** How a charge changed each budget; undefined without any. */
export function changesOf(books: Books, claims: readonly BudgetClaim[], charged: number, now: number) {
  if (claims.length === 0) return undefined
  const changes: BudgetChange[] = []
  for (const claim of claims) {
    const account = books.budgets.get(claim.id)
    if (account === undefined) continue
    const { used } = sumOf(account, claim)
    changes.push({ id: claim.id, from: used - charged, to: used, limit: limitOf(account, now) })
  }
  return changes
}

/** The slots of each budget that a batch of commands needs; empty when the books have them all. */
export function slotsNeeded(commands: readonly Command[], { holds, budgets }: Pick<Books, 'holds' | 'budgets'>) {
  const needed = new Map<number, { from: number; until: number }>()
  let isMissing = false
  eachClaim(commands, holds, ({ id, from, until }) => {
    isMissing ||= !includes(budgets.get(id), from, until)
  })
  if (!isMissing) return needed
  eachClaim(commands, holds, ({ id, from, until }) => {
    const { from: first = from, until: last = until } = needed.get(id) ?? {}
    needed.set(id, { from: Math.min(from, first), until: Math.max(until, last) })
  })
  return needed
}

function eachClaim(
  commands: readonly Command[],
  holds: ReadonlyMap<string, Hold>,
  visit: (claim: BudgetClaim) => void,
) {
  for (const command of commands) {
    if ('budgets' in command) command.budgets?.forEach(visit)
    holds.get(command.id)?.budgets.forEach(visit)
  }
}

const includes = (budget: BudgetAccount | undefined, from: number, until: number) =>
  budget !== undefined && budget.from <= from && until <= budget.until

const limitOf = ({ quota, raise_quota, raise_until }: BudgetAccount, now: number) =>
  now < raise_until ? quota + raise_quota : quota

function sumOf({ slots }: BudgetAccount, { from, until }: BudgetClaim): Pick<BudgetSlot, 'used' | 'held'> {
  if (from === until) return slots.get(from) ?? UNUSED
  let used = 0
  let held = 0
  for (const slot of slots.values()) {
    if (slot.slot < from || slot.slot > until) continue
    used += slot.used
    held += slot.held
  }
  return { used, held }
}

const UNUSED = { used: 0, held: 0 }

function eachSlot(books: Books, claims: readonly BudgetClaim[], change: (slot: BudgetSlot) => void) {
  for (const { id, slot: begins } of claims) {
    const slots = books.budgets.get(id)?.slots
    if (slots === undefined) continue
    let slot = slots.get(begins)
    if (slot === undefined) {
      slot = { budget_id: id, slot: begins, used: 0, held: 0 }
      slots.set(begins, slot)
    }
    change(slot)
    books.changed.budgets.add(slot)
  }
}
