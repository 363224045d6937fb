import { TokenStatus, UserStatus } from '@tollgate/contract'
import type { Books, TokenAccount, UserAccount } from './books.ts'

/* What is set aside of the balances of an account and its key. */

/** Which balance is too small to set this amount aside; undefined when none is. */
export function shortageOf(
  user: Pick<UserAccount, 'quota' | 'held'>,
  token: Pick<TokenAccount, 'unlimited_quota' | 'remain_quota' | 'held'> | undefined,
  amount: number,
) {
  if (amount === 0) return undefined // what is free needs no balance
  if (user.quota - user.held < amount) return 'user'
  if (token !== undefined && token.unlimited_quota === 0 && token.remain_quota - token.held < amount) return 'token'
  return undefined
}

export function areEnabled(user: UserAccount, token: TokenAccount) {
  return user.status === UserStatus.enabled && token.status === TokenStatus.enabled && token.deleted === 0
}

export function setAside(books: Books, user: UserAccount, token: TokenAccount, limited: number, amount: number) {
  user.held += amount
  books.changed.users.add(user.id)
  // The row of an unlimited key is not written for a hold.
  if (limited === 0) return
  token.held += amount
  books.changed.tokens.add(token.id)
}

/** Only a charge may take the available balance below zero. A hold never does. */
export function noteOverrun(user: UserAccount) {
  user.overrun = Math.max(0, user.held - user.quota)
}

export function whole(value: number) {
  return Number.isSafeInteger(value) && value >= 0
}
