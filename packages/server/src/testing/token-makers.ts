import type { TestApp } from './app.ts'
import type { Client } from './client.ts'
import { makeUser } from './makers.ts'

export const nowOf = (app: TestApp) => Math.floor(app.clock.now() / 1000)

/** A user whose only tokens are the ones a test makes. */
export const tokenOwner = async (app: TestApp) => {
  const owner = await makeUser(app)
  const { data } = await owner.client.get('/api/token/')
  await owner.client.delete(`/api/token/${data[0].id}`)
  return owner
}

export const makeToken = async (client: Client, fields: Record<string, unknown> = {}) => {
  const { success, message, data } = await client.post('/api/token/', { name: 'a token', ...fields })
  if (!success) throw new Error(message)
  return data
}

export const storedToken = (app: TestApp, id: number) =>
  app.db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
