import { type BalanceUnit, centsText, channelType } from '@tollgate/contract'
import { formatNumber } from '../../../lib/format/numbers.ts'

const FORMAT: Record<BalanceUnit, (balance: number) => string> = {
  usd: (balance) => centsText(balance, '$'),
  cny: (balance) => centsText(balance, '¥'),
  cny10000: (balance) => centsText(balance / 10_000, '¥'),
  quota: formatNumber,
}

/** A balance in its vendor's unit; undefined when the vendor has no balance API. */
export function formatBalance(type: number, balance: number) {
  const unit = channelType(type)?.balance
  return unit && FORMAT[unit](balance)
}
