import type { TestApp } from './app.ts'
import { makeAdmin, makeUser } from './makers.ts'
import { makeCode } from './redemption-makers.ts'

/**
 * A ledger with one of everything: an account of 1100 that was opened, topped up by a code and charged 30 for one call, and a second
 * call that is still running and holds 50.
 */
export const wholeBooks = async (app: TestApp) => {
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app, { quota: 1000 })
  const code = await makeCode(admin, { quota: 100 })
  await user.client.post('/api/user/topup', { key: code.key })
  const [token] = (await user.client.get('/api/token/')).data
  const channel = await admin.post('/api/channel/', { name: 'c', type: 1, key: 'sk-upstream-key', models: 'm' })
  const books = { user: user.id, token: Number(token.id), channel: Number(channel.data[0].id), code: code.id }

  const row = { epoch: 'e1', user_id: books.user, token_id: books.token, channel_id: books.channel, price: '{}' }
  const { db } = app
  const now = Math.floor(app.clock.now() / 1000)
  await db.insertInto('owners').values({ epoch: 'e1', node: 'n', started_at: now, closed_at: null }).execute()
  const settled = {
    ...row,
    id: 'h1',
    amount: 40,
    limited: 0 as const,
    state: 1,
    actual: 30,
    created_at: now - 3,
    closed_at: now - 2,
  }
  const open = {
    ...row,
    id: 'h2',
    amount: 50,
    limited: 1 as const,
    state: 0,
    actual: null,
    created_at: now,
    closed_at: null,
  }
  await db.insertInto('holds').values([settled, open]).execute()
  const charge = { ts: now - 2, kind: 'consume', ref: 'h1', user_id: books.user, token_id: books.token }
  await db
    .insertInto('ledger')
    .values({ ...charge, channel_id: books.channel, actor_id: null, delta: -30, balance: 1070 })
    .execute()
  const account = { quota: 1070, held: 50, used_quota: 30, request_count: 1 }
  await db.updateTable('users').set(account).where('id', '=', books.user).execute()
  await db.updateTable('tokens').set({ held: 50, used_quota: 30 }).where('id', '=', books.token).execute()
  await db.updateTable('channels').set({ used_quota: 30 }).where('id', '=', books.channel).execute()
  return books
}

export type WholeBooks = Awaited<ReturnType<typeof wholeBooks>>
