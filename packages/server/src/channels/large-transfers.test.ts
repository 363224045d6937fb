import { expect, setDefaultTimeout, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeChannel, makeChannelRows } from '../testing/channel-makers.ts'
import { asRoot } from '../testing/makers.ts'

// Thousands of channels, possibly on a busy machine.
setDefaultTimeout(60_000)

const ENGLISH = { 'accept-language': 'en' }
const PASSPHRASE = 'correct horse battery'

/** As long as the list of a vendor that has everybody's models. */
const models = (count: number) => Array.from({ length: count }, (_, n) => `vendor/a-model-with-a-name-${n}`).join()

const gateway = async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const exported = (fields: object = {}) => root.post('/api/channel/export', { format: 'json', ...fields }, ENGLISH)
  const imported = (content: string, fields: object = {}) =>
    root.post('/api/channel/import', { content, preview: false, ...fields }, ENGLISH)
  return { app, root, exported, imported }
}

test.each(['json', 'csv'])(
  'two thousand channels with long model lists are exported and imported: %s',
  async (format) => {
    const one = await gateway()
    await makeChannelRows(one.app, 2000, (n) => ({ name: `channel ${n}`, models: models(150) }))
    const { success, data } = await one.exported({ format })
    expect([success, data.count]).toEqual([true, 2000])
    const other = await gateway()
    expect(await other.imported(data.content)).toMatchObject({ success: true, data: { created: 2000, refused: 0 } })
    const [row] = await other.app.db.selectFrom('channels').selectAll().where('name', '=', 'channel 1999').execute()
    expect(row).toMatchObject({ models: models(150) })
  },
)

test('pools of thousands of keys are exported and imported with their secrets', async () => {
  const one = await gateway()
  const fields = { type: 1, models: 'm', group: 'default', key_pool: true }
  const keys = (name: string) => Array.from({ length: 1000 }, (_, n) => `sk-${name}-${n}-${'x'.repeat(180)}`).join('\n')
  const made: unknown[] = []
  for (const name of 'abcdefghijklmnopqr')
    made.push((await one.root.post('/api/channel/', { ...fields, name, key: keys(name) }, ENGLISH)).message)
  expect(new Set(made)).toEqual(new Set(['']))
  const { data } = await one.exported({ passphrase: PASSPHRASE })
  expect(data.content.length).toBeGreaterThan(3_500_000)
  const other = await gateway()
  expect(await other.imported(data.content, { passphrase: PASSPHRASE })).toMatchObject({ data: { created: 18 } })
  expect(await other.app.db.selectFrom('channels').select(['name', 'key_count']).execute()).toContainEqual({
    ...{ name: 'r', key_count: 1000 },
  })
})

test('what could not be imported again is not exported, and nothing is in the audit log', async () => {
  const { app, root, exported } = await gateway()
  for (const name of ['a', 'b']) await makeChannel(root, { name })
  await app.db
    .updateTable('channels')
    .set({ models: models(300_000) })
    .execute()
  for (const fields of [{}, { format: 'csv' }, { passphrase: PASSPHRASE }]) {
    expect(await exported(fields)).toMatchObject({
      success: false,
      message: 'The file would be larger than 16 MB and could not be imported. Use filters to export in several parts',
    })
  }
  expect(await app.db.selectFrom('audit_events').select('id').where('action', '=', 'channel.export').execute()).toEqual(
    [],
  )
})
