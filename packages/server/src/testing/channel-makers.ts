import type { TestApp } from './app.ts'
import type { Client } from './client.ts'

export const CHANNEL = { name: 'a channel', type: 1, key: 'sk-upstream-key-1234', models: 'gpt-4o', group: 'default' }

/** The first of the channels that a creation makes. */
export const makeChannel = async (client: Client, fields: Record<string, unknown> = {}) => {
  const { success, message, data } = await client.post('/api/channel/', { ...CHANNEL, ...fields })
  if (!success) throw new Error(message)
  return data[0]
}

export const storedChannel = (app: TestApp, id: number) =>
  app.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
