import type { Books, BudgetAccount, BudgetSlot, Hold } from './books.ts'
import type { BudgetChange, BudgetClaim, Command } from './commands.ts'

/* What a call holds and spends of the budgets it counts against. */

const NONE: readonly BudgetClaim[] = []

/** A hold stores its claims as text: nearly all have none. */
export const claimsText = (claims: readonly BudgetClaim[]) => (claims.length === 0 ? '' : JSON.stringify(claims))

export const claimsOf = ({ budgets }: Pick<Hold, 'budgets'>): readonly BudgetClaim[] =>
  budgets === '' ? NONE : (read.get(budgets) ?? readClaims(budgets))

/** All calls of a budget's period share the same text. */
const read = new Map<string, readonly BudgetClaim[]>()
const READ_MAX = 1000

function readClaims(text: string) {
  if (read.size >= READ_MAX) read.clear()
  const claims: readonly BudgetClaim[] = JSON.parse(text)
  read.set(text, claims)
  return claims
}

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
  return claims.flatMap((claim): BudgetChange[] => {
    const account = books.budgets.get(claim.id)
    if (account === undefined) return []
    const { used } = sumOf(account, claim)
    return [{ id: claim.id, from: used - charged, to: used, limit: limitOf(account, now) }]
  })
}

/** The slots of each budget that a batch of commands needs. */
export function slotsNeeded(commands: readonly Command[], holds: ReadonlyMap<string, Hold>) {
  const needed = new Map<number, { from: number; until: number }>()
  const need = ({ id, from, until }: BudgetClaim) => {
    const known = needed.get(id)
    needed.set(id, {
      from: Math.min(from, known?.from ?? from),
      until: Math.max(until, known?.until ?? until),
    })
  }
  for (const command of commands) {
    if ('budgets' in command) command.budgets?.forEach(need)
    const hold = holds.get(command.id)
    if (hold !== undefined) claimsOf(hold).forEach(need)
  }
  return needed
}

const limitOf = ({ quota, raise_quota, raise_until }: BudgetAccount, now: number) =>
  now < raise_until ? quota + raise_quota : quota

function sumOf({ slots }: BudgetAccount, { from, until }: BudgetClaim) {
  let used = 0
  let held = 0
  for (const slot of slots.values()) {
    if (slot.slot < from || slot.slot > until) continue
    used += slot.used
    held += slot.held
  }
  return { used, held }
}

function eachSlot(books: Books, claims: readonly BudgetClaim[], change: (slot: BudgetSlot) => void) {
  for (const { id, slot: begins } of claims) {
    const slots = books.budgets.get(id)?.slots
    if (slots === undefined) continue
    const slot = slots.get(begins) ?? { budget_id: id, slot: begins, used: 0, held: 0 }
    slots.set(begins, slot)
    change(slot)
    books.changed.budgets.add(slot)
  }
}
