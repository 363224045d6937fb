import { type Books, type Hold, HoldState, type TokenAccount, type UserAccount } from './books.ts'
import type { HoldCommand, Result, SliceCommand } from './commands.ts'
import { newHold } from './new-hold.ts'
import { areEnabled, noteOverrun, setAside, whole } from './set-aside.ts'

/* To an account a slice is a hold like any other: if its process dies, it is swept, and costs nothing. */

const PREFIX = 'slice:'

export const newSliceId = () => `${PREFIX}${Bun.randomUUIDv7()}`

/** Matches the ids of slices in SQL. */
export const SLICE_IDS = `${PREFIX}%`

/**
 * One process borrows at most this part of what is available. The calls at the end of a balance are larger than that, and are decided by its
 * row alone.
 */
const SHARE = 16

export function resizeSlice(books: Books, command: SliceCommand): Result {
  const { id, epoch, userId, tokenId, keep, want, now } = command
  const row = books.holds.get(id)
  if (row === undefined ? keep > 0 : row.state !== HoldState.open) return { ok: false, refusal: 'missing' }
  if (row === undefined && !books.living.has(epoch)) return { ok: false, refusal: 'epoch' }
  const user = books.users.get(userId)
  const token = books.tokens.get(tokenId)
  if (user === undefined || token?.user_id !== userId) return { ok: false, refusal: 'disabled' }
  if (!whole(keep) || !whole(want)) throw new Error(`Not a slice: ${keep} and ${want}`)
  const slice = row ?? newHold({ id, epoch, userId, amount: 0, price: '{}', now }, token, [])
  setAside(books, user, token, slice.limited, -slice.amount)
  slice.amount = keep + granted(slice, user, token, { keep, want })
  setAside(books, user, token, slice.limited, slice.amount)
  noteOverrun(user)
  // A slice may be used for days; its age is the time since it was last counted.
  slice.created_at = now
  if (slice.amount === 0) Object.assign(slice, { state: HoldState.settled, actual: 0, closed_at: now })
  books.holds.set(id, slice)
  if (row === undefined) books.changed.newHolds.add(id)
  else books.changed.holds.add(id)
  return { ok: true, type: 'sliced', amount: slice.amount }
}

/** Nothing for an account or key that was disabled meanwhile, or whose limit was set or removed. */
function granted(
  { limited }: Hold,
  user: UserAccount,
  token: TokenAccount,
  { keep, want }: Pick<SliceCommand, 'keep' | 'want'>,
) {
  if (!areEnabled(user, token) || (limited === 1) !== (token.unlimited_quota === 0)) return 0
  const ofUser = user.quota - user.held
  const available = limited === 1 ? Math.min(ofUser, token.remain_quota - token.held) : ofUser
  return Math.min(want, Math.max(0, Math.floor((available - keep) / SHARE)))
}

/** A call of a slice gets a row of its own: it was accepted before. False if the slice was swept. */
export function takeFromSlice(books: Books, { slice: id, amount }: HoldCommand) {
  const slice = id === undefined ? undefined : books.holds.get(id)
  if (slice?.state !== HoldState.open) return false
  const user = books.users.get(slice.user_id)
  const token = books.tokens.get(slice.token_id)
  if (user === undefined || token === undefined) return false
  const taken = Math.min(slice.amount, amount)
  slice.amount -= taken
  setAside(books, user, token, slice.limited, -taken)
  books.changed.holds.add(slice.id)
  return true
}
