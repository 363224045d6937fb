import { expect, setDefaultTimeout, test } from 'bun:test'
import { budgetFixture, DAILY, keyId, LIMIT, MODEL, makeBudget, PRICE } from '../testing/budget-fixture.ts'
import { engine } from '../testing/database.ts'
import { withMail } from '../testing/mailbox.ts'
import { asRoot } from '../testing/makers.ts'
import { type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'

// Hundreds of calls, possibly on a busy machine.
setDefaultTimeout(120_000)

async function callMany({ chat }: Pick<RelayFixture, 'chat'>, calls: number) {
  const answers = await Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      const response = await chat(MODEL, { ...LIMIT, stream: index % 2 === 0 })
      const text = await response.text()
      return response.ok ? 'answered' : `${response.status} ${JSON.parse(text).error.code}`
    }),
  )
  return Object.fromEntries(
    Map.groupBy(answers, (answer) => answer)
      .entries()
      .map(([name, all]) => [name, all.length]),
  )
}

test.each(['key', 'user', 'group', 'channel'])(
  'a budget of a %s for K calls lets exactly K of many concurrent calls through',
  async (scope) => {
    const world = await budgetFixture()
    const { app, root, payer, channel } = world
    const { id: channelId } = await channel(MODEL)
    const targets = { key: await keyId(world), user: String(payer.id), group: 'default', channel: String(channelId) }
    const id = await makeBudget(root, { scope, target: targets[scope as keyof typeof targets], quota: 20 * PRICE })
    expect(await callMany(world, 200)).toEqual({ answered: 20, '429 insufficient_quota': 180 })
    const { data } = await root.get(`/api/budget/${id}`)
    expect(data).toMatchObject({ used: 20 * PRICE, held: 0, scope })
    expect(await world.account()).toMatchObject({ held: 0, used_quota: 20 * PRICE })
    expect(await app.audit()).toEqual([])
  },
)

test('three nodes share a budget: exactly K calls pass on all of them together, also when their clocks differ', async () => {
  const first = await budgetFixture()
  const { app, root, payer, channel, key } = first
  await channel(MODEL)
  await makeBudget(root, { scope: 'user', target: String(payer.id), quota: 30 * PRICE, zone: 'UTC' })
  const nodes = [first]
  for (const seconds of engine === 'postgres' ? [2, -2] : [2]) {
    const node = await relayFixture({ location: app.location })
    node.app.clock.set(seconds)
    nodes.push(node)
  }
  const outcomes = await Promise.all(
    nodes.map(({ post }) =>
      callMany(
        {
          chat: (model, fields) =>
            post(
              '/v1/chat/completions',
              { model, messages: [{ role: 'user', content: 'Hello there' }], ...fields },
              { key },
            ),
        },
        60,
      ),
    ),
  )
  expect(outcomes.reduce((sum, { answered = 0 }) => sum + answered, 0)).toBe(30)
  expect(await app.audit()).toEqual([])
})

test('a daily budget renews at midnight of its zone, also when clocks change, and not before', async () => {
  const world = await budgetFixture()
  const { app, root, payer, channel, chat } = world
  await channel(MODEL)
  await makeBudget(root, { scope: 'user', target: String(payer.id), quota: PRICE })
  const setTo = (moment: string) => app.clock.set((Date.parse(moment) - app.clock.now()) / 1000)
  const status = async () => (await chat(MODEL, LIMIT)).status
  // That day has 25 hours in Berlin.
  setTo('2026-10-24T22:00:10Z')
  expect([await status(), await status()]).toEqual([200, 429])
  setTo('2026-10-25T22:59:50Z')
  expect(await status()).toBe(429)
  setTo('2026-10-25T23:00:10Z')
  expect([await status(), await status()]).toEqual([200, 429])
  // After the clock is set back, the day's spending is unchanged.
  setTo('2026-10-25T12:00:00Z')
  expect(await status()).toBe(429)
})

test('a clock that was ahead for a while makes no spending forgotten, and old spending is removed at last', async () => {
  const world = await budgetFixture()
  const { app, root, payer, channel, chat } = world
  await channel(MODEL)
  const id = await makeBudget(root, { scope: 'user', target: String(payer.id), quota: PRICE, zone: 'UTC' })
  const status = async () => (await chat(MODEL, LIMIT)).status
  expect([await status(), await status()]).toEqual([200, 429])
  const keepHouse = () => app.parts.jobs.find(({ name }) => name === 'housekeeping')?.run()
  const AHEAD = 400 * 86_400
  app.clock.set(AHEAD)
  expect(await status()).toBe(200)
  await keepHouse()
  app.clock.set(-AHEAD)
  expect(await status()).toBe(429)
  const day = Math.floor(app.clock.now() / 86_400_000) * 86_400
  const later = Array.from({ length: 70 }, (_, n) => ({ budget_id: id, slot: day + n + 1, used: 1, held: 0 }))
  await app.db.insertInto('budget_usage').values(later).execute()
  app.clock.set(AHEAD)
  await keepHouse()
  const left = await app.db.selectFrom('budget_usage').select('slot').where('budget_id', '=', id).execute()
  expect(left).toHaveLength(64)
})

test.each([
  ['day', 23],
  ['week', 6 * 24],
  ['month', 29 * 24],
])('a clock that is set back does not renew a rolling %s', async (period, hours) => {
  const world = await budgetFixture()
  const { app, root, payer, channel, chat } = world
  await channel(MODEL)
  await makeBudget(root, { scope: 'user', target: String(payer.id), quota: PRICE, period, rolling: true })
  const status = async () => (await chat(MODEL, LIMIT)).status
  expect([await status(), await status()]).toEqual([200, 429])
  app.clock.set(-hours * 3600)
  expect(await status()).toBe(429)
  app.clock.set(hours * 3600)
  expect(await status()).toBe(429)
  expect(await app.audit()).toEqual([])
})

test('a refusal names the budget and when it renews, in the words of each dialect', async () => {
  const world = await budgetFixture()
  const { app, root, payer, channel, chat, post } = world
  await channel(MODEL)
  app.clock.set((Date.parse('2026-11-16T12:00:00Z') - app.clock.now()) / 1000)
  await makeBudget(root, { scope: 'user', target: String(payer.id), quota: 5, model: MODEL })
  const answer = await chat(MODEL, LIMIT, { headers: { 'accept-language': 'en' } })
  expect(answer.status).toBe(429)
  expect(answer.headers.get('x-should-retry')).toBe('false')
  const { error } = await answer.json()
  expect(error.message).toContain(`The daily budget of this account for ${MODEL}`)
  expect(error.message).toContain('it renews at 2026-11-17 00:00 (Europe/Berlin)')
  const claude = await post('/v1/messages', { model: MODEL, messages: [{ role: 'user', content: 'Hello' }], ...LIMIT })
  expect(claude.status).toBe(402)
  // Only that model is limited.
  await channel('say/20')
  expect((await chat('say/20', LIMIT)).status).toBe(200)
})

test('a raise counts until its end, and a rolling budget frees up as time passes', async () => {
  const world = await budgetFixture()
  const { app, root, payer, channel, chat } = world
  await channel(MODEL)
  const status = async () => (await chat(MODEL, LIMIT)).status
  const now = Math.floor(app.clock.now() / 1000)
  const target = { scope: 'user', target: String(payer.id) }
  const id = await makeBudget(root, {
    ...target,
    quota: PRICE,
    rolling: true,
    raise_quota: PRICE,
    raise_until: now + 3600,
  })
  expect([await status(), await status(), await status()]).toEqual([200, 200, 429])
  app.clock.set(2 * 3600)
  expect(await status()).toBe(429)
  app.clock.set(24 * 3600)
  expect([await status(), await status()]).toEqual([200, 429])
  // The earlier session has expired by now.
  const later = await asRoot(app)
  await later.put('/api/budget/', { ...DAILY, id, quota: 10 * PRICE, period: 'forever' })
  expect(await status()).toBe(200)
  await later.put('/api/budget/', { ...DAILY, id, quota: 1, period: 'forever' })
  expect(await status()).toBe(429)
  await later.delete(`/api/budget/${id}`)
  expect(await status()).toBe(200)
})

test('a channel whose budget is spent is skipped, also after a failed attempt', async () => {
  const world = await budgetFixture({ options: { DefaultModelRatio: 1, RetryTimes: 3 } })
  const { root, channel, chat, onlyLog } = world
  const failing = await channel(MODEL, { priority: 20, model_mapping: `{"${MODEL}":"fault/server"}` })
  const spent = await channel(MODEL, { priority: 10 })
  const last = await channel(MODEL)
  const budgets = await Promise.all(
    [failing, spent, last].map(({ id }, index) =>
      makeBudget(root, { scope: 'channel', target: String(id), quota: index === 1 ? PRICE - 1 : PRICE }),
    ),
  )
  expect((await chat(MODEL, LIMIT)).status).toBe(200)
  expect(await onlyLog()).toMatchObject({ channel: last.id, quota: PRICE })
  const used = await Promise.all(budgets.map(async (id) => (await root.get(`/api/budget/${id}`)).data))
  expect(used.map(({ used, held }) => [used, held])).toEqual([
    [0, 0],
    [0, 0],
    [PRICE, 0],
  ])
})

test('where the budget of a group is spent, the next group of the caller is tried, and the log says so', async () => {
  const world = await budgetFixture({ group: 'vip,default' })
  const { app, root, channel, chat, logs } = world
  const onlyVip = await channel(MODEL, { group: 'vip', priority: 10 })
  const ofBoth = await channel(MODEL, { group: 'vip,default' })
  const vip = await makeBudget(root, { scope: 'group', target: 'vip', quota: PRICE })
  const others = await makeBudget(root, { scope: 'group', target: 'default', quota: 2 * PRICE })
  for (let call = 0; call < 3; call++) expect((await chat(MODEL, LIMIT)).status).toBe(200)
  const refused = await chat(MODEL, LIMIT, { headers: { 'accept-language': 'en' } })
  expect(refused.status).toBe(429)
  const { error } = await refused.json()
  expect(error.message).toContain('this group')
  const entries = await logs()
  expect(entries.map((entry) => entry.channel)).toEqual([onlyVip.id, ofBoth.id, ofBoth.id])
  expect(entries.map(({ detail }) => detail.candidates.excluded)).toEqual([
    [],
    ...[1, 2].map(() => [
      { channel: onlyVip.id, name: expect.any(String), excluded: 'the budget of its group is used up' },
    ]),
  ])
  const spent = await Promise.all([vip, others].map(async (id) => (await root.get(`/api/budget/${id}`)).data))
  expect(spent).toMatchObject([
    { used: PRICE, held: 0 },
    { used: 2 * PRICE, held: 0 },
  ])
  expect(await app.audit()).toEqual([])
})

test('a proxy call counts against the first group with budget left that has the channel', async () => {
  const world = await budgetFixture({ group: 'vip,default', options: { ProxyCallPrice: PRICE } })
  const { root, channel, post, upstream } = world
  const { id } = await channel('proxy', { type: 43, group: 'vip,default' })
  const budgets = [
    await makeBudget(root, { scope: 'group', target: 'vip', quota: PRICE }),
    await makeBudget(root, { scope: 'group', target: 'default', quota: PRICE }),
  ]
  const statuses: number[] = []
  for (let call = 0; call < 3; call++) {
    statuses.push((await post(`/v1/oneapi/proxy/${id}/v1/chat/completions`, { model: 'say/3' })).status)
  }
  expect(statuses).toEqual([200, 200, 429])
  expect(upstream.journal).toHaveLength(2)
  const used = await Promise.all(budgets.map(async (budget) => (await root.get(`/api/budget/${budget}`)).data.used))
  expect(used).toEqual([PRICE, PRICE])
})

test('the budget of a key or an account refuses a call whatever groups there are', async () => {
  const world = await budgetFixture({ group: 'vip,default' })
  const { root, payer, channel, chat, upstream } = world
  await channel(MODEL, { group: 'vip' })
  await channel(MODEL)
  await makeBudget(root, { scope: 'user', target: String(payer.id), quota: PRICE - 1 })
  expect((await chat(MODEL, LIMIT)).status).toBe(429)
  expect(upstream.journal).toEqual([])
})

test('free calls and failed calls do not count against a budget', async () => {
  const world = await budgetFixture()
  const { root, payer, channel, chat } = world
  await channel('fault/server')
  const id = await makeBudget(root, { scope: 'user', target: String(payer.id), quota: 1000 * PRICE })
  expect((await chat('fault/server', LIMIT)).ok).toBe(false)
  expect((await root.get(`/api/budget/${id}`)).data).toMatchObject({ used: 0, held: 0 })
})

test('the owner of an account is notified once when half, four fifths and all of a budget are spent', async () => {
  const world = await budgetFixture()
  const { app, root, payer, channel, chat } = world
  await channel(MODEL)
  const mailbox = await withMail(app)
  await app.db.updateTable('users').set({ email: 'payer@example.com' }).where('id', '=', payer.id).execute()
  await makeBudget(root, { scope: 'user', target: String(payer.id), quota: 10 * PRICE })
  for (let call = 0; call < 10; call++) expect((await chat(MODEL, LIMIT)).status).toBe(200)
  const subjects = await Promise.all(
    [50, 80, 100].map(async () => (await mailbox.waitForMail('payer@example.com')).headers.subject),
  )
  expect(subjects.map((subject) => /\d+%/.exec(String(subject))?.[0]).toSorted()).toEqual(['100%', '50%', '80%'])
  expect(mailbox.received).toHaveLength(3)
})

test('the audit finds a budget that holds more than the open calls', async () => {
  const { app, root, payer, channel, chat } = await budgetFixture()
  await channel(MODEL)
  const id = await makeBudget(root, { scope: 'user', target: String(payer.id) })
  await chat(MODEL, LIMIT)
  expect(await app.audit()).toEqual([])
  await app.db.updateTable('budget_usage').set({ held: 7 }).where('budget_id', '=', id).execute()
  expect(await app.audit()).toMatchObject([{ invariant: 'I14', found: '7', expected: '0' }])
})
