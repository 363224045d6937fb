import { expect, test } from 'bun:test'
import type { Client } from '../testing/client.ts'
import { makeUser } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { makeToken, nowOf } from '../testing/token-makers.ts'

const LATE = 'offered later'
const MODEL = 'vendor/a "model": 100%_😀'
const RICH = { quota: 1_000_000_000 }

/** The names of a row, and how the log and the usage are narrowed to one of them, or to those without. */
const NAMES = {
  model: { inLog: 'model_name', none: ['no_model', 'true'] },
  key: { inLog: 'token_name', none: ['no_token', 'true'] },
  user: { inLog: 'username', none: ['username', ''] },
  channel: { inLog: 'channel', none: ['channel', '-1'] },
  group: { inLog: 'group', none: ['no_group', 'true'] },
} as const
type Name = keyof typeof NAMES

interface Row extends Partial<Record<Name, string | number>> {
  calls: number
  quota: number
}

const namesIn = ({ model, key, user, channel, group }: Row) => JSON.stringify([model, key, user, channel, group])

const namesOf = (row: Row) =>
  (['model', 'key', 'user', 'channel', 'group'] as const).flatMap((name) => {
    const value = row[name]
    return value === undefined ? [] : [{ name, value: String(value), isNone: value === '' || value === 0 }]
  })

const logOf = (row: Row) =>
  Object.fromEntries(
    namesOf(row).flatMap(({ name, value, isNone }) => [
      isNone ? NAMES[name].none : [NAMES[name].inLog, value],
      ...(name === 'model' && !isNone ? [['offered', 'true']] : []),
    ]),
  )

const usageOf = (row: Row) =>
  Object.fromEntries(namesOf(row).map(({ name, value }) => (value === '' ? [`no_${name}`, 'true'] : [name, value])))

test('each row of the usage leads to exactly its calls in the log, whatever it is called', async () => {
  const { app, chat, channel, payer, root } = await relayFixture(RICH)
  await channel(`${MODEL},other`)
  const other = await makeUser(app, { ...RICH, username: 'b c', group: '企业 "客户",default' })
  const keyOf = async (client: Client, name: string, fields = {}) => {
    const { id, key } = await makeToken(client, { unlimited_quota: true, name, ...fields })
    return { id, by: { key: `sk-${key}` } }
  }
  const gone = await makeUser(app, { ...RICH, username: 'gone' })
  const ofGone = await keyOf(gone.client, 'of gone')
  const same = await keyOf(other.client, 'default')
  const unnamed = await keyOf(payer.client, 'unnamed below')
  const odd = await keyOf(payer.client, `b c"'%_😀`)
  const narrow = await keyOf(payer.client, 'only other', { models: 'other' })
  await app.db.updateTable('tokens').set({ name: '' }).where('id', '=', unnamed.id).execute()
  for (const { by } of [same, unnamed, odd, ofGone]) expect((await chat(MODEL, {}, by)).status).toBe(200)
  // Refused with a model that is offered, with one that is not, twice each, and with none.
  expect((await chat(MODEL, {}, narrow.by)).status).toBe(403)
  for (const { by } of [same, unnamed, same, unnamed]) expect((await chat('no-such', {}, by)).status).toBe(404)
  expect((await chat('', {}, odd.by)).ok).toBe(false)
  // Refused while no channel offers it, and answered by the first one that does.
  expect((await chat(LATE, {}, odd.by)).status).toBe(404)
  await channel(LATE)
  expect((await chat(LATE, {}, odd.by)).status).toBe(200)
  // The same key, of an account that has another name by now.
  const { data: account } = await root.get(`/api/user/${payer.id}`)
  expect(await root.put('/api/user/', { ...account, username: 'renamed' })).toMatchObject({ success: true })
  expect((await chat(MODEL, {}, odd.by)).status).toBe(200)
  await app.parts.refusedCalls.flush()
  await root.get('/api/log/stat')
  // As after an import of somebody else's log: its users have no account here, and so no group.
  for (const table of ['logs', 'usage_hours', 'usage_days', 'usage_models', 'key_usage'] as const)
    await app.db.updateTable(table).set({ user_id: 999_999 }).where('user_id', '=', gone.id).execute()

  const [start, end] = [String(nowOf(app) - 3600), String(nowOf(app) + 3600)]
  const readLog = async (client: Client, path: string, row: Row) => {
    const query = new URLSearchParams({ type: '7', start_timestamp: start, page_size: '100', ...logOf(row) })
    const { data } = await client.get(`${path}/?${query}`)
    const { data: sum } = await client.get(`${path}/stat?${query}`)
    const entries: { quota: number; detail: { count?: number } }[] = data
    expect({ row, quota: sum.quota }).toEqual({ row, quota: entries.reduce((all, { quota }) => all + quota, 0) })
    return { calls: entries.reduce((all, { detail }) => all + (detail.count ?? 1), 0), quota: sum.quota }
  }
  for (const [client, log, usage, dimensions] of [
    [
      root,
      '/api/log',
      '/api/analytics/',
      ['model', 'key', 'channel', 'user', 'model,key', 'channel,model', 'group', 'group,key', 'user,group'],
    ],
    [payer.client, '/api/log/self', '/api/analytics/self', ['model', 'key', 'model,key']],
  ] as const)
    for (const by of dimensions) {
      const read = async (more = {}) =>
        (await client.get(`${usage}?${new URLSearchParams({ start, end, by, ...more })}`)).data
      const { rows }: { rows: Row[] } = await read()
      expect(rows.length).toBeGreaterThan(1)
      expect(new Set(rows.map(namesIn)).size).toBe(rows.length)
      if (by === 'group') expect(rows.map(({ group }) => group)).toContain('')
      for (const row of rows) {
        const { calls, quota } = row
        expect({ by, row, found: await readLog(client, log, row) }).toEqual({ by, row, found: { calls, quota } })
        // Narrowed to a row, the figures are that row's.
        expect((await read(usageOf(row))).totals).toMatchObject({ calls, quota })
        // And those of its models, which are kept by user, are those of the log.
        if (by !== 'group') continue
        const { data } = await client.get(
          `${usage}?${new URLSearchParams({ start, end, by: 'model', ...usageOf(row) })}`,
        )
        for (const part of data.rows) {
          const own = { ...part, group: row.group }
          expect(await readLog(client, log, own)).toEqual({ calls: part.calls, quota: part.quota })
        }
      }
    }
})

test('a search by model finds calls that were refused before a channel offered it', async () => {
  const { app, chat, channel, root } = await relayFixture(RICH)
  expect((await chat(LATE)).status).toBe(404)
  await channel(LATE)
  expect((await chat(LATE)).status).toBe(200)
  await app.parts.refusedCalls.flush()
  const found = async (more: string) => {
    const { data } = await root.get(`/api/log/?model_name=${encodeURIComponent(LATE)}${more}`)
    return data.map(({ outcome }: { outcome: string }) => outcome).sort()
  }
  expect([await found(''), await found('&offered=true')]).toEqual([['client_error', 'success'], ['success']])
})
