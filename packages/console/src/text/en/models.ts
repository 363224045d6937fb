import { formatExact } from '../../lib/format/numbers.ts'
import type { Words } from '../words.ts'
import type { zh } from '../zh/models.ts'

export const en: Words<typeof zh> = {
  list: 'Models and prices',
  summary: (total) =>
    `${formatExact(total)} ${total === 1 ? 'model' : 'models'} available; prices include your group ratio`,
  summaryOf: (total, group) =>
    `${formatExact(total)} ${total === 1 ? 'model' : 'models'} available to ${group}; prices include the ratio of this group`,
  group: 'Prices of a group',
  ownGroup: 'Prices for you',
  pricesOf: (group) => `Prices for ${group}`,
  unpriced: 'No price set: billed at the ratio for unknown models',
  setPrice: 'Set a price',
  search: 'Search models by name',
  model: 'Model',
  copyOf: (model) => `Copy model name ${model}`,
  copied: 'Model name copied to the clipboard',
  aliasOf: (model) => `alias of ${model}`,
  input: 'Input / 1M tokens',
  cached: 'Cached input / 1M tokens',
  output: 'Output / 1M tokens',
  other: 'Other',
  each: {
    tokens: () => '',
    characters: (amount) => `${amount} / 1M characters`,
    second: (amount) => `${amount} / second of video`,
    image: (amount) => `${amount} / image`,
    search: (amount) => `${amount} / search`,
  },
  perCall: (amount) => `${amount} / call`,
  range: (low, high) => `${low} – ${high}`,
  rangeHelp: 'The price depends on the channel that serves the call',
  empty: 'No models available yet',
  emptyAdmin: 'No enabled channel offers a model to your group. Add a channel to get started.',
  emptyOf: (group) =>
    `No enabled channel offers a model to the group ${group}. Open a channel to this group, or add a new one.`,
  addChannel: 'New channel',
  emptyHelp: 'Once an administrator enables a channel for your group, its models and prices appear here.',
}
