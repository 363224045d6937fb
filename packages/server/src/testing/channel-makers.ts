import type { TestApp } from './app.ts'
import type { Client } from './client.ts'

export const CHANNEL = { name: 'a channel', type: 1, key: 'sk-upstream-key-1234', models: 'gpt-4o', group: 'default' }

/** A key in the format of a type's vendor. */
export const keyOfType = (type: number) =>
  ({
    15: 'the-api-key|the-secret-key',
    16: 'the-id.the-secret',
    18: 'the-appid|the-api-secret|the-api-key',
    22: 'fastgpt-0sp2gtvfdgyi4k30jwlgwf1i-64f335d84283f05518e9e041',
    23: '1234567890|AKIDexample|the-secret-key',
    33: '',
    42: '',
  })[type] ?? CHANNEL.key

/** The first channel that a creation makes. */
export const makeChannel = async (client: Client, fields: Record<string, unknown> = {}) => {
  const { success, message, data } = await client.post('/api/channel/', { ...CHANNEL, ...fields })
  if (!success) throw new Error(message)
  return data[0]
}

/** Stored rows without secrets, for tests that need many. Returns their ids in order. */
export const makeChannelRows = async (
  app: TestApp,
  count: number,
  fields: (n: number) => { [name: string]: string | number },
) => {
  const ids: number[] = []
  for (let n = 0; n < count; n += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, count - n) }, (_, index) => ({
      ...BARE,
      name: `c${n + index}`,
      ...fields(n + index),
    }))
    const made = await app.db.insertInto('channels').values(rows).returning('id').execute()
    ids.push(...made.map(({ id }) => id))
  }
  return ids
}

const ROWS_AT_ONCE = 500

const BARE = {
  type: 1,
  tag: '',
  key_sealed: '',
  secrets_sealed: '',
  key_hint: '',
  base_url: '',
  other: '',
  config: '{}',
  models: 'gpt-4o',
  group: 'default',
  model_mapping: '',
  system_prompt: '',
  test_model: '',
  status: 1,
  status_reason: '',
  priority: 0,
  weight: 0,
  created_time: 1000,
}

export const storedChannel = (app: TestApp, id: number) =>
  app.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
