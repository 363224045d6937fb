import type { Words } from '../words.ts'
import type { zh } from '../zh/limits.ts'

export const en: Words<typeof zh> = {
  title: 'Rate limits',
  kind: { rpm: 'Requests per minute', tpm: 'Tokens per minute', concurrency: 'Calls at the same time' },
  help: 'Leave empty for no limit. The limits of the token, the account and its group hold together; the strictest wins.',
  addModel: 'Limit a single model, for example gpt-4o',
  modelName: 'Model name',
  add: 'Add',
  remove: (name) => `Remove the limits of ${name}`,
  needName: 'Enter a name',
  taken: 'This name is there already',
  modelsFull: (max) => `At most ${max} models`,
  rpmShort: (amount) => `${amount} requests/min`,
  tpmShort: (amount) => `${amount} tokens/min`,
  concurrencyShort: (amount) => `${amount} at once`,
  more: 'Some models have their own',
  ofAccount: 'Account',
  ofGroup: (name) => `Group ${name}`,
  ofWholeGroup: (name) => `Group ${name}, all users together`,
  ofKey: (name) => `Token ${name}`,
  forModel: (owner, model) => `${owner} · model ${model}`,
  use: (used, limit) => `${used} / ${limit}`,
  inUse: 'In use now',
}
