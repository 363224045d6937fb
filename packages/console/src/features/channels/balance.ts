import { type BalanceUnit, channelType } from '@tollgate/contract'
import { formatNumber } from '../../lib/numbers.ts'

const FORMAT: Record<BalanceUnit, (balance: number) => string> = {
  usd: (balance) => `$${balance.toFixed(2)}`,
  cny: (balance) => `¥${balance.toFixed(2)}`,
  cny10000: (balance) => `¥${(balance / 10_000).toFixed(2)}`,
  quota: formatNumber,
}

/** A balance in the unit of its vendor; undefined where the vendor does not tell it. */
export function formatBalance(type: number, balance: number) {
  const unit = channelType(type)?.balance
  return unit && FORMAT[unit](balance)
}
