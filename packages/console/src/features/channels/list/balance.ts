import { type BalanceUnit, centsText, channelType } from '@tollgate/contract'
import { formatNumber } from '../../../lib/numbers.ts'

const FORMAT: Record<BalanceUnit, (balance: number) => string> = {
  usd: (balance) => centsText(balance, '$'),
  cny: (balance) => centsText(balance, '¥'),
  cny10000: (balance) => centsText(balance / 10_000, '¥'),
  quota: formatNumber,
}

/** A balance in the unit of its vendor; undefined where the vendor does not tell it. */
export function formatBalance(type: number, balance: number) {
  const unit = channelType(type)?.balance
  return unit && FORMAT[unit](balance)
}
