import { formatExact } from '../../lib/format/numbers.ts'
import type { Words } from '../words.ts'
import type { zh } from '../zh/key-activity.ts'

export const en: Words<typeof zh> = {
  spend: 'Last 7 days',
  spendOf: (days) =>
    `Spent in the last 7 days: ${days}. Tokens with the same name are combined; what was spent under a former name is not included.`,
  dayOf: (day, amount) => `${day} ${amount}`,
  lastUse: 'Last used',
  neverUsed: 'Never used',
  noCallYet: 'No call answered yet',
  addresses: (count) => (count === 1 ? '1 address' : `${formatExact(count)} addresses`),
  addressesOf: (list) => `Used from these addresses in the last day: ${list}`,
  moreAddresses: (list, count) => `${list} and others, ${formatExact(count)} in total`,
  addressAt: (address, time) => `${address} (${time})`,
  comma: ', ',
  unusual: 'Unusual use',
  unusualHelp: (networks, calls, usual) =>
    `Used from a new network, ${networks}, with ${calls} calls in one hour, compared with an earlier average of ${usual} per active hour. If this was not you, disable the token and create a new one.`,
  blocked: 'Disabled by admin',
  blockedBecause: (reason) =>
    `An administrator disabled this token, and only an administrator can enable it. Reason: ${reason}`,
}
