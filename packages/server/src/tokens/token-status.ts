import { NEVER_EXPIRES, TokenStatus } from '@tollgate/contract'

interface TokenState {
  status: number
  expired_time: number
  remain_quota: number
  unlimited_quota: number
}

/** The current status of a token: time and quota run out by themselves, whether or not it is used. */
export const currentStatus = (token: TokenState, nowSec: number): number => {
  if (token.status === TokenStatus.disabled) return TokenStatus.disabled
  if (isExpired(token, nowSec)) return TokenStatus.expired
  return isExhausted(token) ? TokenStatus.exhausted : token.status
}

/** The same after an edit: one that removes the reason why a token stopped also enables it again. */
export const statusAfterEdit = (token: TokenState, nowSec: number): number =>
  currentStatus(
    { ...token, status: token.status === TokenStatus.disabled ? token.status : TokenStatus.enabled },
    nowSec,
  )

export const isExpired = ({ expired_time }: TokenState, nowSec: number) =>
  expired_time !== NEVER_EXPIRES && expired_time <= nowSec

export const isExhausted = ({ unlimited_quota, remain_quota }: TokenState) => unlimited_quota === 0 && remain_quota <= 0
