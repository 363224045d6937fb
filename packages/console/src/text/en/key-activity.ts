import type { Words } from '../words.ts'
import type { zh } from '../zh/key-activity.ts'

export const en: Words<typeof zh> = {
  spend: 'Last 7 days',
  spendOf: (days) => `Spent in the last 7 days (by date in UTC): ${days}. Tokens of the same name are added up.`,
  dayOf: (day, amount) => `${day} ${amount}`,
  lastUse: 'Last used',
  neverUsed: 'Never used',
  addresses: (count) => (count === 1 ? '1 address' : `${count} addresses`),
  addressesOf: (list) => `Used from these addresses in the last day: ${list}`,
  moreAddresses: (list, count) => `${list}, and others: ${count} in all`,
  addressAt: (address, time) => `${address} (${time})`,
  comma: ', ',
  unusual: 'Unusual use',
  unusualHelp: (networks, calls, usual) =>
    `Used from a new network, ${networks}, with ${calls} calls in one hour; before, an hour of use had ${usual} on average. If that is not you, disable the token and make a new one.`,
  blocked: 'Disabled by admin',
  blockedBecause: (reason) =>
    `An administrator disabled this token, and only an administrator can enable it. Reason: ${reason}`,
}
