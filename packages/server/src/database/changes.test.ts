import { expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { lookupHash } from '../security/random.ts'
import { testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { makeUser } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { makeToken } from '../testing/token-makers.ts'
import { tokensRepository } from '../tokens/tokens-repository.ts'
import { createChanges } from './changes.ts'

setDefaultTimeout(60_000)

/* The clock of a test's app is frozen, so that its caches never expire: every update comes from a notification. */

/** A node on the same database, and its answer to a call with this key, once it is as expected. */
async function secondNode(location: string, { listens = true } = {}) {
  const node = await testApp({ location, listens })
  const ask = async (key: string) => {
    const response = await fetch(`${node.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'say/20', messages: [{ role: 'user', content: 'Hello there' }] }),
    })
    await response.text()
    return response.ok ? `cost ${response.headers.get('x-tollgate-cost')}` : String(response.status)
  }
  /** Notifications take milliseconds; how many depends on the machine. */
  const until = async (key: string, expected: string) => {
    const deadline = Date.now() + 20_000
    for (;;) {
      const answer = await ask(key)
      if (answer === expected || Date.now() > deadline) return answer
      await Bun.sleep(5)
    }
  }
  return { ask, until, node }
}

if (engine === 'postgres') {
  test('a change of options, channels, keys or accounts on one node is announced to the others at once', async () => {
    const world = await relayFixture({ quota: 1_000_000, options: { DefaultModelRatio: 1 } })
    const { id } = await world.channel('say/20')
    const token = await makeToken(world.payer.client, { unlimited_quota: true })
    const key = `sk-${token.key}`
    const { ask, until } = await secondNode(world.app.location)
    const usual = await ask(key)
    expect(usual).toStartWith('cost ')

    await world.root.put('/api/channel/', { id, status: 2 })
    expect(await until(key, '404')).toBe('404')
    await world.root.put('/api/channel/', { id, status: 1 })
    expect(await until(key, usual)).toBe(usual)
    await world.root.put('/api/option/', { key: 'DefaultModelRatio', value: '2' })
    const doubled = `cost ${2 * Number(usual.slice('cost '.length))}`
    expect(await until(key, doubled)).toBe(doubled)
    await world.payer.client.put('/api/token/?status_only=true', { id: token.id, status: 2 })
    expect(await until(key, '401')).toBe('401')
    await world.payer.client.put('/api/token/?status_only=true', { id: token.id, status: 1 })
    expect(await until(key, doubled)).toBe(doubled)
    // Each node counts alone here, so that one call is left.
    await world.payer.client.put('/api/token/', { id: token.id, rate_limits: { rpm: 1 } })
    expect(await until(key, '429')).toBe('429')
    await world.payer.client.put('/api/token/', { id: token.id, rate_limits: {} })
    expect(await until(key, doubled)).toBe(doubled)
    await world.root.put('/api/user/', { id: world.payer.id, rate_limits: { rpm: 1 } })
    expect(await until(key, '429')).toBe('429')
    await world.root.post('/api/user/manage', { username: world.payer.username, action: 'disable' })
    expect(await until(key, '403')).toBe('403')
  })

  test('changes made while the connection was lost are known when it is back', async () => {
    const world = await relayFixture({ quota: 1_000_000 })
    const { id } = await world.channel('say/20')
    const { ask, until } = await secondNode(world.app.location)
    expect(await ask(world.key)).toStartWith('cost ')
    const sql = new SQL(world.app.location, { max: 1 })
    // No trigger fires for this change, as if it had been made while the connection was lost.
    await sql.begin(async (tx) => {
      await tx`SET LOCAL session_replication_role = replica`
      await tx`UPDATE channels SET status = 2, changed = changed + 1 WHERE id = ${id}`
    })
    expect(await ask(world.key)).toStartWith('cost ')
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query ILIKE 'listen%'`
    expect(await until(world.key, '404')).toBe('404')
    await sql.close()
  })

  test('the ledger’s frequent writes cause no notifications', async () => {
    const world = await relayFixture({ quota: 1_000_000 })
    await world.channel('say/20')
    const told: string[] = []
    const sql = new SQL(world.app.location, { max: 1 })
    await sql.listen('tollgate_changed', (payload) => told.push(payload))
    for (let call = 0; call < 3; call++) await (await world.chat('say/20')).text()
    const before = told.length
    await world.root.put('/api/option/', { key: 'RetryTimes', value: '2' })
    while (told.length === before) await Bun.sleep(5)
    expect(told).toEqual(['options'])
    await sql.close({ timeout: 0 })
  })
}

test('every change of what calls know of a key and its owner is announced', async () => {
  const app = await testApp()
  const { id, client } = await makeUser(app)
  const token = await makeToken(client)
  const facts = await tokensRepository(app.db).factsByHash(lookupHash(token.key))
  const changes = createChanges({ db: app.db, engine }, app.location)
  let told: string[] = []
  await changes.listen((changed) => told.push(changed))
  const toldOf = async (change: { execute(): Promise<unknown> }) => {
    await changes.catchUp()
    told = []
    await change.execute()
    expect(await changes.catchUp()).toBe(true)
    return told
  }
  const ofToken = {
    ...{ name: 'other', status: 2, expired_time: 1, unlimited_quota: 1, models: 'm', subnet: '10.0.0.0/8' },
    ...{ rate_limits: '{"rpm":1}', fallback: 0, recording: '{}', blocked_by: 1, blocked_reason: 'leaked' },
    admin_rate_limits: '{"rpm":1}',
  }
  const ofUser = { username: 'other-name', role: 10, group: 'vip', status: 2, rate_limits: '{"rpm":2}' }
  for (const [column, value] of Object.entries(ofToken)) {
    const change = app.db
      .updateTable('tokens')
      .set({ [column]: value })
      .where('id', '=', token.id)
    expect(await toldOf(change), column).toContain('keys')
  }
  for (const [column, value] of Object.entries(ofUser)) {
    const change = app.db
      .updateTable('users')
      .set({ [column]: value })
      .where('id', '=', id)
    expect(await toldOf(change), column).toContain('keys')
  }
  const removed = app.db.updateTable('tokens').set({ deleted_at: 1 }).where('id', '=', token.id)
  expect(await toldOf(removed)).toContain('keys')
  const spent = { remain_quota: 1, held: 1, used_quota: 5, accessed_time: 9 }
  expect(await toldOf(app.db.updateTable('tokens').set(spent).where('id', '=', token.id))).toEqual([])

  const known = Object.keys(facts ?? {}).map((name) => name.replace(/^user_(?!id)/, ''))
  // The balance is the ledger's, which decides about every hold.
  const covered = [...Object.keys(ofToken), ...Object.keys(ofUser), 'id', 'user_id', 'remain_quota']
  expect(known.filter((name) => !covered.includes(name))).toEqual([])
  expect(known.length).toBeGreaterThan(10)
  await changes.close()
})

test('without notifications, a change takes effect after a second', async () => {
  const world = await relayFixture({ quota: 1_000_000 })
  const { id } = await world.channel('say/20')
  const { node, ask } = await secondNode(world.app.location, { listens: false })
  expect(await ask(world.key)).toStartWith('cost')
  await world.root.put('/api/channel/', { id, status: 2 })
  expect(await ask(world.key)).toStartWith('cost')
  node.clock.pass(1)
  expect(await ask(world.key)).toBe('404')
})

test('a call’s view is no older than a second, although the console has read one half of it before the other', async () => {
  const world = await relayFixture({ quota: 1_000_000, options: { DefaultModelRatio: 1 } })
  await world.channel('say/20')
  const { node, ask } = await secondNode(world.app.location, { listens: false })
  await node.client().get('/api/status')
  await world.root.put('/api/option/', { key: 'DefaultModelRatio', value: '2' })
  node.clock.pass(0.7)
  const before = await ask(world.key)
  node.clock.pass(0.4)
  const after = await ask(world.key)
  expect(after).toBe(`cost ${2 * Number(before.replace('cost ', ''))}`)
})
