import type { Words } from '../words.ts'
import type { zh } from '../zh/models.ts'

export const en: Words<typeof zh> = {
  list: 'Models and prices',
  summary: (total) =>
    `${total} ${total === 1 ? 'model' : 'models'} you may call; prices include the ratio of your group`,
  search: 'Search models by name',
  model: 'Model',
  copyOf: (model) => `Copy the model name ${model}`,
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
  rangeHelp: 'The price depends on the channel that answers',
  empty: 'There are no models you may call yet',
  emptyHelp: 'Once an administrator enables a channel for your group, its models and prices are listed here.',
}
