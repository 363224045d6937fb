import type { TestApp } from './app.ts'
import type { Client } from './client.ts'

export const CHANNEL = { name: 'a channel', type: 1, key: 'sk-upstream-key-1234', models: 'gpt-4o', group: 'default' }

/** A key of the form that the vendor of a type gives out. */
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

/** The first of the channels that a creation makes. */
export const makeChannel = async (client: Client, fields: Record<string, unknown> = {}) => {
  const { success, message, data } = await client.post('/api/channel/', { ...CHANNEL, ...fields })
  if (!success) throw new Error(message)
  return data[0]
}

export const storedChannel = (app: TestApp, id: number) =>
  app.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
