import { expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { sql } from 'kysely'
import { engine } from '../testing/database.ts'
import { type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

const ENGLISH = { headers: { 'accept-language': 'en' } }

const readiness = async ({ app }: RelayFixture) => {
  const answer = await fetch(`${app.url}/readyz`)
  return `${answer.status} ${await answer.text()}`
}

/** As with a full disk: everything can be read, and a new row is refused. */
const FULL = {
  sqlite: [
    "CREATE TRIGGER no_space BEFORE UPDATE ON users BEGIN SELECT RAISE(ABORT, 'no space'); END",
    'DROP TRIGGER no_space',
  ],
  postgres: [
    'ALTER TABLE holds ADD CONSTRAINT no_space CHECK (false) NOT VALID',
    'ALTER TABLE holds DROP CONSTRAINT no_space',
  ],
}

test('a database that reads and refuses every new row: not ready after a few failed calls, and ready with the first that succeeds', async () => {
  const world = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const { app, chat, channel, charges, upstream } = world
  await channel('say/5')
  const [fill = '', free = ''] = FULL[engine]
  const statuses = async (calls: number) => {
    const all: number[] = []
    for (let call = 0; call < calls; call++) all.push((await chat('say/5', {}, ENGLISH)).status)
    return all
  }
  await sql.raw(fill).execute(app.db)
  // On SQLite the tables follow a confirmed charge: the first call after a failed write is refused.
  while ((await statuses(1))[0] === 200);
  expect([await statuses(3), await readiness(world)]).toEqual([[503, 503, 503], '503 the database refuses to write'])
  const answered = upstream.journal.length
  await sql.raw(free).execute(app.db)
  expect([await statuses(2), await readiness(world)]).toEqual([[200, 200], '200 ready'])
  // A call that ended meanwhile is settled again after a while.
  while ((await charges()).length < answered + 2) await Bun.sleep(20)
  expect(await charges()).toHaveLength(answered + 2)
  expect(await app.audit()).toEqual([])
})

if (engine === 'postgres') {
  test('a database that only reads, as a standby does: not ready, 503 for calls and changes, service when another primary is there', async () => {
    const world = await relayFixture({ options: { DefaultModelRatio: 1 } })
    const { app, root, chat, channel, charges } = world
    await channel('say/5')
    const name = new URL(app.location).pathname.slice(1)
    const admin = new SQL(new URL('/postgres', app.location).href, { max: 1 })
    // New connections of a standby only read.
    const failOver = async (mode: 'on' | 'off') => {
      await admin.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${mode}`)
      if (mode === 'on')
        await admin.unsafe(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
    }
    const ready = () => readiness(world)
    expect([await ready(), (await chat('say/5', {}, ENGLISH)).status]).toEqual(['200 ready', 200])
    await failOver('on')
    while ((await ready()) !== '503 the database is read-only') await Bun.sleep(20)
    const refused = await chat('say/5', {}, ENGLISH)
    expect([refused.status, (await refused.json()).error.code]).toEqual([503, 'server_unavailable'])
    expect((await root.put('/api/option/', { key: 'RetryTimes', value: '1' })).status).toBe(503)
    // The connections that only read are replaced by themselves.
    await failOver('off')
    while ((await chat('say/5', {}, ENGLISH)).status !== 200) await Bun.sleep(20)
    while ((await ready()) !== '200 ready') await Bun.sleep(20)
    expect((await root.put('/api/option/', { key: 'RetryTimes', value: '1' })).success).toBe(true)
    expect((await charges()).length).toBe(2)
    await admin.unsafe(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
    await admin.close()
    expect(await app.audit()).toEqual([])
  })

  test.each([
    ['is closed to connections', 'ALTER DATABASE $ ALLOW_CONNECTIONS false', 'ALTER DATABASE $ ALLOW_CONNECTIONS true'],
    ['has another name', 'ALTER DATABASE $ RENAME TO $_away', 'ALTER DATABASE $_away RENAME TO $'],
  ])('a database that %s while somebody restores it is an outage and no bug', async (_, away, back) => {
    const world = await relayFixture({ options: { DefaultModelRatio: 1 } })
    const { app, root, chat, channel, charges } = world
    await channel('say/5')
    const name = new URL(app.location).pathname.slice(1)
    const admin = new SQL(new URL('/postgres', app.location).href, { max: 1 })
    const disconnect = () =>
      admin.unsafe(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN ('${name}', '${name}_away')`,
      )
    expect((await chat('say/5', {}, ENGLISH)).status).toBe(200)
    // A connection may be opened again before the statement has its lock.
    for (let isAway = false; !isAway; ) {
      await disconnect()
      isAway = await admin.unsafe(away.replaceAll('$', name)).then(
        () => true,
        () => false,
      )
    }
    await disconnect()
    while (!(await readiness(world)).startsWith('503')) await Bun.sleep(20)
    const refused = await Promise.all(Array.from({ length: 9 }, () => chat('say/5', {}, ENGLISH)))
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503))
    expect((await root.put('/api/option/', { key: 'RetryTimes', value: '1' })).status).toBe(503)
    await admin.unsafe(back.replaceAll('$', name))
    while ((await chat('say/5', {}, ENGLISH)).status !== 200) await Bun.sleep(20)
    while ((await readiness(world)) !== '200 ready') await Bun.sleep(20)
    expect(app.lines.filter((line) => line.includes('Internal server error'))).toEqual([])
    expect((await charges()).length).toBe(2)
    await admin.close()
    expect(await app.audit()).toEqual([])
  })
}
