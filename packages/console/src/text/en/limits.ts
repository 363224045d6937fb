import type { Words } from '../words.ts'
import type { zh } from '../zh/limits.ts'

export const en: Words<typeof zh> = {
  title: 'Rate limits',
  kind: { rpm: 'Requests per minute', tpm: 'Tokens per minute', concurrency: 'Concurrent calls' },
  help: 'Leave empty for no limit. Token, account and group limits all apply; the strictest one wins.',
  addModel: 'Limit a single model, for example gpt-4o',
  modelName: 'Model name',
  add: 'Add',
  remove: (name) => `Remove the limits for ${name}`,
  needName: 'Enter a name',
  taken: 'This name already exists',
  modelsFull: (max) => `At most ${max} models`,
  rpmShort: (amount) => `${amount} requests/min`,
  tpmShort: (amount) => `${amount} tokens/min`,
  concurrencyShort: (amount) => `${amount} concurrent`,
  more: 'Some models have their own limits',
  ofAccount: 'Account',
  ofGroup: (name) => `Group ${name}`,
  ofWholeGroup: (name) => `Group ${name}, all users together`,
  ofKey: (name) => `Token ${name}`,
  forModel: (owner, model) => `${owner} · model ${model}`,
  use: (used, limit) => `${used} / ${limit}`,
  inUse: 'In use now',
}
