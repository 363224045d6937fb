import { formatExact } from '../../lib/format/numbers.ts'

export const zh = {
  spend: '近 7 天消费',
  spendOf: (days: string) => `近 7 天消费：${days}。同名令牌的消费合在一起，改名之前的不计入。`,
  dayOf: (day: string, amount: string) => `${day} ${amount}`,
  lastUse: '最近使用',
  neverUsed: '从未使用',
  noCallYet: '还没有成功的调用',
  addresses: (count: number) => `${formatExact(count)} 个地址`,
  addressesOf: (list: string) => `最近一天的来源地址：${list}`,
  moreAddresses: (list: string, count: number) => `${list} 等 ${formatExact(count)} 个`,
  addressAt: (address: string, time: string) => `${address}（${time}）`,
  comma: '，',
  unusual: '使用异常',
  unusualHelp: (networks: string, calls: string, usual: string) =>
    `出现了新的来源网络 ${networks}，并且一小时内有 ${calls} 次调用，而此前平均每小时 ${usual} 次。如果不是您自己在用，请禁用这个令牌并换一个新的。`,
  blocked: '管理员禁用',
  blockedBecause: (reason: string) => `管理员禁用了这个令牌，只有管理员可以启用。原因：${reason}`,
}
