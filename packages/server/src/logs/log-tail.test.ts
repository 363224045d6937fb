import { expect, test } from 'bun:test'
import { type LogFilter, type LogTailEvent, LogType } from '@tollgate/contract'
import { createLog } from '../common/log.ts'
import { testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeUser } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { UNCOUNTED_MODEL } from './call-detail.ts'
import { createLogTail } from './log-tail.ts'

const ANYTHING: LogFilter = {
  ...{ username: '', group: '', token_name: '', model_name: '', channel: 0, type: 0, session: '', request_id: '' },
  ...{ start_timestamp: 0, end_timestamp: 0, outcome: '', min_quota: 0, min_elapsed: 0, stream: '' },
  ...{ no_model: '', offered: '', no_token: '', no_group: '', user_id: 0 },
}

const cookieOf = ({ cookies }: Client) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** The messages as they arrive. */
async function opened(url: string, client: Client) {
  const left = new AbortController()
  const response = await fetch(url, { headers: { cookie: cookieOf(client) }, signal: left.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<LogTailEvent | undefined> => {
    for (;;) {
      const [, data] = /^data: (.*)\n\n/m.exec(text) ?? []
      if (data !== undefined) {
        text = text.slice(text.indexOf('\n\n', text.indexOf('data: ')) + 2)
        return JSON.parse(data)
      }
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
      if (done) return undefined
      text += value
    }
  }
  // The first keep-alive shows that the watch has begun.
  await reader?.read()
  return { response, next, leave: () => left.abort() }
}

test('a watcher gets what is written from then on: calls, refusals and notes, each in the reader’s language', async () => {
  const { app, chat, channel, root, payer } = await relayFixture()
  await channel('say/3')
  await chat('say/3')
  const everyones = await opened(`${app.url}/api/log/tail?language=zh`, root)
  const own = await opened(`${app.url}/api/log/self/tail?language=en`, payer.client)
  expect(everyones.response.headers.get('content-type')).toStartWith('text/event-stream')
  await chat('no-such-model')
  await app.parts.refusedCalls.flush()
  const seen = await everyones.next()
  expect(seen).toMatchObject({ rows: [{ model_name: 'no-such-model', username: payer.username }], skipped: 0 })
  expect(seen?.rows[0]?.content).toContain('不存在')
  expect((await own.next())?.rows[0]?.content).toContain('does not exist')
  await chat('say/3')
  expect((await everyones.next())?.rows).toMatchObject([
    { model_name: 'say/3', detail: { attempts: [{ status: 200 }] } },
  ])
  // Users must not learn which channels exist.
  const [mine] = (await own.next())?.rows ?? []
  expect(mine).toMatchObject({ model_name: 'say/3' })
  expect(mine?.detail).not.toHaveProperty('attempts')
  everyones.leave()
  own.leave()
})

test('an ordinary user cannot watch everybody, and without a session nobody can watch', async () => {
  const { app, payer } = await relayFixture()
  expect(await payer.client.get('/api/log/tail')).toMatchObject({ success: false })
  expect((await app.client().get('/api/log/self/tail')).status).toBe(401)
  expect(await payer.client.get('/api/log/self/tail?outcome=nothing')).toMatchObject({ success: false })
})

const quickly = { pollMs: 5, quietMs: 20, checkMs: 0 }

async function fixture(times = quickly) {
  const app = await testApp()
  const tail = createLogTail({ db: app.db, log: createLog(() => {}) }, times)
  const watch = (filter: Partial<LogFilter> = {}, isAllowed = async () => true, after?: string, by = tail) =>
    by.watch(
      { search: { scope: 'everyone', filter: { ...ANYTHING, ...filter } }, userId: 1, language: 'en', after },
      isAllowed,
    )
  /** Reconnects to this node, or to another one that started meanwhile. */
  const comeBack = (
    after: string | undefined,
    { by = tail, ...filter }: Partial<LogFilter> & { by?: typeof tail } = {},
  ) => watch(filter, undefined, after, by)
  return { app, tail, watch, comeBack }
}

const contents = (event: LogTailEvent | undefined) => event?.rows.map(({ content }) => content)

/** The next message that is not a keep-alive. */
async function message(messages: AsyncGenerator<LogTailEvent | undefined>) {
  for (;;) {
    const { value, done } = await messages.next()
    if (done === true) return undefined
    if (value !== undefined && (value.rows.length > 0 || value.reload)) return value
  }
}

const NAMELESS = { token_name: '', detail: `{"status":404,${UNCOUNTED_MODEL}}` }

test('each watcher gets what matches its filter, and one query serves them all', async () => {
  const { app, tail, watch } = await fixture()
  const { id: user_id } = await makeUser(app, { group: 'vip,default' })
  await makeLogs(app, { content_en: 'before' })
  const filters: Partial<LogFilter>[] = [
    {},
    { model_name: 'a' },
    { outcome: 'timeout' },
    { outcome: 'failed' },
    { min_quota: 5 },
    { stream: 'true' },
    { no_token: 'true' },
    { no_model: 'true', model_name: 'a' },
    { group: 'vip' },
  ]
  const watching = filters.map((filter) => watch(filter))
  for (const each of watching) await each.next()
  const calls = watch({ type: LogType.calls })
  await calls.next()
  const ofNobody = watch({ no_group: 'true' })
  await ofNobody.next()
  const offered = watch({ offered: 'true' })
  await offered.next()
  expect(tail.watching()).toBe(12)
  await makeLogs(
    app,
    { model_name: 'a', outcome: 'timeout', quota: 5, is_stream: 1, type: 6, content_en: 'all', user_id, ...NAMELESS },
    { model_name: 'b', token_name: 'k', content_en: 'some' },
    { type: 4, token_name: 'k', content_en: 'no call', user_id: 999_999 },
  )
  const texts = async (messages: (typeof watching)[number]) =>
    (await message(messages))?.rows.map(({ content }) => content)
  const [every, ...others] = watching
  if (every === undefined) throw new Error('There is no watcher')
  expect(await texts(every)).toEqual(['no call', 'some', 'all'])
  expect(await texts(calls)).toEqual(['some', 'all'])
  expect(await texts(ofNobody)).toEqual(['no call'])
  expect(await texts(offered)).toEqual(['no call', 'some'])
  for (const other of others) expect(await texts(other)).toEqual(['all'])
  for (const each of [...watching, calls, ofNobody, offered]) await each.return(undefined)
  expect(tail.watching()).toBe(0)
})

test('a watch ends with the session, and with the node', async () => {
  const { tail, watch } = await fixture()
  let isAllowed = true
  const messages = watch({}, async () => isAllowed)
  expect((await messages.next()).value).toMatchObject({ rows: [], skipped: 0, reload: false })
  expect((await messages.next()).done).toBe(false)
  isAllowed = false
  expect((await messages.next()).done).toBe(true)
  const other = watch()
  await other.next()
  const last = other.next()
  tail.close()
  expect((await last).done).toBe(true)
  expect(tail.watching()).toBe(0)
})

test('entries that arrive faster than they are read are left out and counted', async () => {
  const { app, watch } = await fixture()
  const messages = watch()
  await messages.next()
  await makeLogs(app, ...Array.from({ length: 250 }, (_, n) => ({ created_at: n })))
  const first = await message(messages)
  expect(first?.rows.length).toBe(200)
  expect(first?.skipped).toBe(50)
})

test('a user can watch from a few places at once and no more', async () => {
  const { tail, watch } = await fixture()
  const watching = Array.from({ length: 10 }, () => watch())
  for (const each of watching) await each.next()
  expect(() => tail.admit(1)).toThrow('Too many requests')
  expect(() => tail.admit(2)).not.toThrow()
  await watching[0]?.return(undefined)
  expect(() => tail.admit(1)).not.toThrow()
})

test('after a reconnect the missed entries are sent once: by the same node, by one that has started since, and by filter', async () => {
  const { app, watch, comeBack } = await fixture()
  await makeLogs(app, { content_en: 'before' })
  const messages = watch()
  await messages.next()
  await makeLogs(app, { content_en: 'seen' })
  const { at } = (await message(messages)) ?? {}
  await messages.return(undefined)
  await makeLogs(app, { content_en: 'missed', model_name: 'a' }, { content_en: 'missed too', model_name: 'b' })

  const restarted = createLogTail({ db: app.db, log: createLog(() => {}) }, quickly)
  for (const filter of [{}, { by: restarted }]) {
    const back = comeBack(at, filter)
    const first = (await back.next()).value
    expect(contents(first ?? undefined)).toEqual(['missed too', 'missed'])
    const again = comeBack(first?.at)
    expect((await again.next()).value).toMatchObject({ rows: [], reload: false })
    await makeLogs(app, { content_en: 'new', model_name: 'c' })
    expect(contents(await message(back))).toEqual(['new'])
    expect(contents(await message(again))).toEqual(['new'])
    await app.db.deleteFrom('logs').where('model_name', '=', 'c').execute()
    for (const each of [back, again]) await each.return(undefined)
  }
  const narrow = comeBack(at, { model_name: 'a' })
  expect(contents((await narrow.next()).value ?? undefined)).toEqual(['missed'])
  await narrow.return(undefined)
})

test('a watcher that comes back while a poll for the ones before it is due gets nothing twice', async () => {
  const { app, watch, comeBack } = await fixture()
  for (let round = 0; round < 20; round++) {
    const messages = watch()
    await messages.next()
    await makeLogs(app, { content_en: `seen ${round}` })
    const { at } = (await message(messages)) ?? {}
    await messages.return(undefined)
    await makeLogs(app, { content_en: `missed ${round}` })
    const back = comeBack(at)
    expect(contents((await back.next()).value ?? undefined)).toEqual([`missed ${round}`])
    await makeLogs(app, { content_en: `new ${round}` })
    expect(contents(await message(back))).toEqual([`new ${round}`])
    await back.return(undefined)
  }
})

test('an entry committed after a later one is neither lost nor sent twice across a reconnect', async () => {
  const { app, watch, comeBack } = await fixture()
  await makeLogs(app, { content_en: 'first' }, { content_en: 'not there yet' }, { content_en: 'overtakes' })
  const [overtakes, late] = await app.db.selectFrom('logs').select('id').orderBy('id', 'desc').limit(2).execute()
  await app.db.deleteFrom('logs').where('content_en', '=', 'not there yet').execute()
  const messages = watch()
  expect((await messages.next()).value).toMatchObject({ at: `${overtakes?.id}-1` })
  await messages.return(undefined)

  await makeLogs(app, { content_en: 'late' }, { content_en: 'next' })
  const { id: next } = await app.db.selectFrom('logs').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  const back = comeBack(`${next}-1.${next - (late?.id ?? 0)}`)
  expect(contents((await back.next()).value ?? undefined)).toEqual(['late'])
  await makeLogs(app, { content_en: 'newest' })
  expect(contents(await message(back))).toEqual(['newest'])
  await back.return(undefined)
})

test('a watcher that was away for long reads the list again, and one with an invented position starts now', async () => {
  const { app, watch, comeBack } = await fixture()
  const messages = watch()
  const { at } = (await messages.next()).value ?? {}
  await messages.return(undefined)
  await makeLogs(app, ...Array.from({ length: 401 }, (_, n) => ({ created_at: n })))
  const late = comeBack(at)
  expect((await late.next()).value).toMatchObject({ rows: [], reload: true })
  const odd = comeBack('nowhere')
  expect((await odd.next()).value).toMatchObject({ rows: [], reload: false })
  for (const each of [late, odd]) await each.return(undefined)
})

test('a browser that reconnects sends its position, and a program may send it in the URL', async () => {
  const { app, chat, channel, root } = await relayFixture()
  await channel('say/3')
  const first = await opened(`${app.url}/api/log/tail`, root)
  await chat('say/3')
  const seen = await first.next()
  first.leave()
  await chat('say/3')
  const { data: rows } = await root.get('/api/log/?p=0&type=2')
  const missed = rows.filter(({ id }: { id: number }) => id !== seen?.rows[0]?.id)
  for (const [path, headers] of [
    ['/api/log/tail?after=1', { 'last-event-id': seen?.at ?? '' }],
    [`/api/log/tail?after=${seen?.at}`, {}],
  ] as const) {
    const { id, rows: come } = await firstRows(app.url + path, root, headers)
    expect(id).toMatch(/^\d+$/)
    expect(come.map((row) => row.id)).toEqual(missed.map((row: { id: number }) => row.id))
  }
  expect(await root.get('/api/log/tail?after=elsewhere')).toMatchObject({ success: false })
})

/** The first event with entries, and its id on the wire. */
async function firstRows(url: string, client: Client, more: Record<string, string>) {
  const left = new AbortController()
  const response = await fetch(url, { headers: { cookie: cookieOf(client), ...more }, signal: left.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    for (const [, id = '', data = ''] of text.matchAll(/^id: (.*)\ndata: (.*)\n\n/gm)) {
      const event: LogTailEvent = JSON.parse(data)
      if (event.rows.length === 0) continue
      left.abort()
      return { id, rows: event.rows }
    }
    text += (await reader?.read())?.value ?? ''
  }
}
