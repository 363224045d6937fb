import type { PriceUnit } from '@tollgate/contract'
import { formatExact } from '../../lib/format/numbers.ts'

export const zh = {
  list: '模型与价格',
  summary: (total: number) => `可以调用 ${formatExact(total)} 个模型，价格已包含你的分组倍率`,
  summaryOf: (total: number, group: string) =>
    `分组 ${group} 可以调用 ${formatExact(total)} 个模型，价格已包含该分组的倍率`,
  group: '查看哪个分组的价格',
  ownGroup: '我的价格',
  pricesOf: (group: string) => `${group} 分组的价格`,
  unpriced: '没有设置价格，按未知模型的倍率计费',
  setPrice: '去设置价格',
  search: '按名称搜索模型',
  model: '模型',
  copyOf: (model: string) => `复制模型名 ${model}`,
  copied: '模型名已复制到剪贴板',
  aliasOf: (model: string) => `${model} 的别名`,
  input: '输入 / 百万 token',
  cached: '缓存输入 / 百万 token',
  output: '输出 / 百万 token',
  other: '其他',
  each: {
    tokens: () => '',
    characters: (amount) => `${amount} / 百万字符`,
    second: (amount) => `${amount} / 秒视频`,
    image: (amount) => `${amount} / 张图片`,
    search: (amount) => `${amount} / 次搜索`,
  } satisfies Record<PriceUnit, (amount: string) => string>,
  perCall: (amount: string) => `${amount} / 次`,
  range: (low: string, high: string) => `${low} – ${high}`,
  rangeHelp: '价格取决于由哪个渠道回答',
  empty: '还没有可以调用的模型',
  emptyAdmin: '你的分组还没有可以使用的渠道，添加一个渠道即可开始。',
  emptyOf: (group: string) => `分组 ${group} 还没有可以使用的渠道，为它启用或新建一个渠道。`,
  addChannel: '新建渠道',
  emptyHelp: '管理员为你的分组启用渠道后，这里会列出模型和价格。',
}
