import { expect, onTestFinished, test } from 'bun:test'
import { ENDPOINTS, UserStatus } from '@tollgate/contract'
import { type TestApp, testApp } from '../testing/app.ts'
import { type JsonSchema, schemaOf } from '../testing/arbitrary-from-schema.ts'
import { CHANNEL, makeChannel } from '../testing/channel-makers.ts'
import type { Answered, Client } from '../testing/client.ts'
import { snapshot } from '../testing/database-snapshot.ts'
import { asRoot, makeAdmin, makeUser, PASSWORD } from '../testing/makers.ts'
import { makeCode } from '../testing/redemption-makers.ts'
import { untouchableRows } from '../testing/untouchable-rows.ts'

/*
 * Who may call what: every endpoint of the contract × seven callers. The table is written by hand and repeats nothing from the code, so
 * that a changed declaration is noticed here; an endpoint without a line fails.
 */

const CALLERS = ['anonymous', 'user', 'other', 'admin', 'root', 'disabled', 'deleted'] as const

type Outcome =
  | 'ok'
  | 'no login' // 401
  | 'no right' // 200, success false: the role is too low
  | 'refused' // 200, success false: admitted, but not with this request
  | 'admitted' // past authorisation; the result depends on an external host
  | 'bad state' // 403: a sign-in that nobody started

type Outcomes = readonly [Outcome, Outcome, Outcome, Outcome, Outcome, Outcome, Outcome]

//                            anonymous   user        other       admin       root        disabled    deleted
const EVERYBODY: Outcomes = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok']
const NOBODY_YET: Outcomes = ['refused', 'refused', 'refused', 'refused', 'refused', 'refused', 'refused']
const MEMBERS: Outcomes = ['no login', 'ok', 'ok', 'ok', 'ok', 'no login', 'no login']
const MEMBERS_REFUSED: Outcomes = ['no login', 'refused', 'refused', 'refused', 'refused', 'no login', 'no login']
const OWNER: Outcomes = ['no login', 'ok', 'refused', 'refused', 'refused', 'no login', 'no login']
const STAFF: Outcomes = ['no login', 'no right', 'no right', 'ok', 'ok', 'no login', 'no login']
/** Others are admitted, but see nothing of the owner's. */
const STAFF_AMONG_MEMBERS: Outcomes = ['no login', 'refused', 'refused', 'ok', 'ok', 'no login', 'no login']
const OWNER_AND_STAFF: Outcomes = ['no login', 'ok', 'refused', 'ok', 'ok', 'no login', 'no login']
const STAFF_OUTSIDE: Outcomes = ['no login', 'no right', 'no right', 'admitted', 'admitted', 'no login', 'no login']
const ROOT_ALONE: Outcomes = ['no login', 'no right', 'no right', 'refused', 'ok', 'no login', 'no login']
/** Callers for whom it has no effect. */
const ORDINARY_ALONE: Outcomes = ['no login', 'ok', 'ok', 'refused', 'refused', 'no login', 'no login']
const ROOT_AMONG_MEMBERS: Outcomes = ['no login', 'refused', 'refused', 'refused', 'ok', 'no login', 'no login']
const STAFF_REFUSED: Outcomes = ['no login', 'no right', 'no right', 'refused', 'refused', 'no login', 'no login']
const STATELESS: Outcomes = ['bad state', 'bad state', 'bad state', 'bad state', 'bad state', 'bad state', 'bad state']

type Caller = (typeof CALLERS)[number]
type World = Awaited<ReturnType<typeof makeWorld>>
type Call = { path?: string; body?: unknown }

/** The request of a caller; `owner` and `target` belong to the caller `user`. */
type Request = (world: World, caller: Caller) => Call | Promise<Call>

const plain: Request = () => ({})
const body =
  (content: unknown): Request =>
  () => ({ body: content })
const query =
  (text: string): Request =>
  () => ({ path: `?${text}` })

const aRequestId: Request = () => ({ path: Bun.randomUUIDv7() })

const pathOf = ({ id, key }: { id: number; key: number }): Call => ({ path: `${id}/${key}` })

const BUDGET = { quota: 5, period: 'day' }
const budgetOf = ({ id }: { id: number }): Call => ({ body: { ...BUDGET, scope: 'key', target: `${id}` } })

/** To a forbidden address, so that a test of it ends at once. */
const ALERT_DESTINATION = { way: 'slack', name: 'chat', address: 'https://chat.invalid/services/T/B/X' }
const ALERT_RULE = { kind: 'budget', threshold: 5 }

/** Endpoint, a label if it occurs more than once, the request, and the result of each caller. */
type Line = [name: string, of: string, request: Request, outcomes: Outcomes]

const MATRIX: Line[] = [
  ['status.get', '', plain, EVERYBODY],
  ['status.notice', '', plain, EVERYBODY],
  ['status.about', '', plain, EVERYBODY],
  ['status.homePageContent', '', plain, EVERYBODY],

  ['session.login', 'the own account', ownLogin, ['refused', 'ok', 'ok', 'ok', 'ok', 'refused', 'refused']],
  ['session.logout', '', plain, EVERYBODY],
  ['session.register', '', () => ({ body: { username: fresh(), password: PASSWORD } }), EVERYBODY],
  ['session.register', 'a twin of root', body({ username: 'ROOT', password: PASSWORD }), NOBODY_YET],
  ['session.verification', 'no mail server', query('email=a@example.com&turnstile='), NOBODY_YET],
  ['session.requestReset', 'no mail server', query('email=a@example.com&turnstile='), NOBODY_YET],
  ['session.reset', 'a made-up token', body({ email: 'a@example.com', token: 'x' }), NOBODY_YET],

  ['oauth.state', '', plain, EVERYBODY],
  ['oauth.github', 'a made-up state', query('code=x&state=y'), STATELESS],
  ['oauth.lark', 'a made-up state', query('code=x&state=y'), STATELESS],
  ['oauth.wechat', 'switched off', query('code=x'), NOBODY_YET],
  ['oauth.bindWechat', 'switched off', query('code=x'), MEMBERS_REFUSED],
  ['oauth.bindEmail', 'a made-up code', query('email=a@example.com&code=1'), MEMBERS_REFUSED],

  ['users.list', '', plain, STAFF],
  ['users.search', '', query('keyword=a'), STAFF],
  ['users.get', 'an ordinary user', async ({ target }) => ({ path: `${(await target()).id}` }), STAFF],
  ['users.get', 'an administrator', async ({ colleague }) => ({ path: `${(await colleague()).id}` }), ROOT_ALONE],
  ['users.get', 'root', () => ({ path: '1' }), ROOT_ALONE],
  ['users.create', '', () => ({ body: { username: fresh(), password: PASSWORD } }), STAFF],
  ['users.create', 'a twin of root', body({ username: 'ROOT', password: PASSWORD }), STAFF_REFUSED],
  ['users.update', 'an ordinary user', async ({ target }) => renamed(await target()), STAFF],
  ['users.update', 'an administrator', async ({ colleague }) => renamed(await colleague()), ROOT_ALONE],
  ['users.update', 'root', () => renamed({ id: 1 }), ROOT_ALONE],
  ['users.update', 'to administrator', async ({ target }) => ({ body: { ...(await target()), role: 10 } }), ROOT_ALONE],
  ['users.update', 'to root', async ({ target }) => ({ body: { ...(await target()), role: 100 } }), STAFF_REFUSED],
  ['users.remove', 'an ordinary user', async ({ target }) => ({ path: `${(await target()).id}` }), STAFF],
  ['users.remove', 'an administrator', async ({ colleague }) => ({ path: `${(await colleague()).id}` }), ROOT_ALONE],
  ['users.remove', 'root', () => ({ path: '1' }), STAFF_REFUSED],
  ['users.manage', 'disable', async ({ target }) => managed(await target(), 'disable'), STAFF],
  ['users.manage', 'enable', async ({ target }) => managed(await target(), 'enable'), STAFF],
  ['users.manage', 'delete', async ({ target }) => managed(await target(), 'delete'), STAFF],
  ['users.manage', 'promote', async ({ target }) => managed(await target(), 'promote'), ROOT_ALONE],
  ['users.manage', 'demote', async ({ colleague }) => managed(await colleague(), 'demote'), ROOT_ALONE],
  ['users.manage', 'disable root', () => managed({ username: 'root' }, 'disable'), STAFF_REFUSED],
  ['users.manage', 'delete root', () => managed({ username: 'root' }, 'delete'), STAFF_REFUSED],
  ['users.manage', 'demote root', () => managed({ username: 'root' }, 'demote'), STAFF_REFUSED],
  ['users.adminTopUp', '', async ({ target }) => ({ body: { user_id: (await target()).id, quota: 5 } }), STAFF],
  ['users.self', '', plain, MEMBERS],
  ['users.limits', '', plain, MEMBERS],
  ['users.updateSelf', '', body({ display_name: 'Me' }), MEMBERS],
  ['users.updateSelf', 'another way in, unconfirmed', body({ external_login: true }), ORDINARY_ALONE],
  ['users.updateSelf', 'to a twin of root', body({ username: 'ROOT' }), ROOT_AMONG_MEMBERS],
  ['users.removeSelf', '', plain, ['no login', 'ok', 'ok', 'ok', 'refused', 'no login', 'no login']],
  ['users.accessToken', '', plain, MEMBERS],
  ['users.affiliateCode', '', plain, MEMBERS],
  ['users.availableModels', '', plain, MEMBERS],
  ['users.dashboard', '', plain, MEMBERS],
  ['users.topUp', 'a fresh code', async ({ code }) => ({ body: { key: (await code()).key } }), MEMBERS],

  ['groups.list', '', plain, STAFF],

  ['tokens.list', '', plain, MEMBERS],
  ['tokens.activity', '', query('token_ids=1,2'), MEMBERS],
  ['tokens.all', '', plain, STAFF],
  ['tokens.manage', "the user's token", async ({ token }) => blocked((await token()).id), STAFF],
  [
    'tokens.setLimits',
    "the user's token",
    async ({ token }) => ({ body: { id: (await token()).id, rate_limits: { rpm: 1 } } }),
    STAFF,
  ],
  ['tokens.search', '', query('keyword=d'), MEMBERS],
  ['tokens.get', "the user's token", async ({ token }) => ({ path: `${(await token()).id}` }), OWNER],
  ['tokens.create', '', body({ name: 'new' }), MEMBERS],
  [
    'tokens.askRecording',
    'withdrawn',
    async ({ token }) => ({ body: { id: (await token()).id, settings: null } }),
    STAFF,
  ],
  [
    'tokens.answerRecording',
    'which nobody has asked for',
    async ({ token }) => ({
      body: { id: (await token()).id, agree: true, settings: { scope: 'all', share: 1, days: 1, size: 1 } },
    }),
    MEMBERS_REFUSED,
  ],
  ['tokens.update', "the user's token", async ({ token }) => ({ body: { ...(await token()), name: 'x' } }), OWNER],
  ['tokens.update', 'status only', async ({ token }) => switched((await token()).id), OWNER],
  ['tokens.remove', "the user's token", async ({ token }) => ({ path: `${(await token()).id}` }), OWNER],

  ['channels.list', '', plain, STAFF],
  ['channels.search', '', query('keyword=c'), STAFF],
  ['channels.get', '', async ({ channel }) => ({ path: `${(await channel()).id}` }), STAFF],
  ['channels.create', '', body(CHANNEL), STAFF],
  ['channels.copy', '', async ({ channel }) => ({ body: { id: (await channel()).id, name: 'a copy' } }), STAFF],
  [
    'channels.exportFile',
    'without secrets',
    async ({ channel }) => ({ body: { ids: [(await channel()).id], format: 'csv' } }),
    STAFF,
  ],
  [
    'channels.exportFile',
    'with secrets',
    async ({ channel }) => ({ body: { ids: [(await channel()).id], format: 'json', passphrase: 'long enough words' } }),
    ROOT_ALONE,
  ],
  [
    'channels.importFile',
    'a preview',
    () => ({ body: { content: 'type,name,models\n1,new,gpt-4o', preview: true } }),
    STAFF,
  ],
  ['channels.update', '', async ({ channel }) => ({ body: { id: (await channel()).id, priority: 3 } }), STAFF],
  ['channels.remove', '', async ({ channel }) => ({ path: `${(await channel()).id}` }), STAFF],
  ['channels.removeDisabled', '', plain, STAFF],
  ['channels.testAll', 'without channels', ({ noChannels }) => noChannels(), STAFF_OUTSIDE],
  ['channels.testProgress', '', plain, STAFF],
  ['channels.test', '', async ({ channel }) => ({ path: `${(await channel()).id}` }), STAFF_OUTSIDE],
  ['channels.explain', '', query('model=gpt-4o'), STAFF],
  ['channels.fetchModels', '', async ({ channel }) => ({ path: `${(await channel()).id}` }), STAFF_OUTSIDE],
  ['channels.listModels', '', body({ type: 8, key: 'sk', base_url: 'http://127.0.0.1:1' }), STAFF_OUTSIDE],
  ['channels.unpriced', '', plain, STAFF],
  ['channels.attention', '', plain, STAFF],
  ['channels.outcomes', '', plain, STAFF],
  ['channels.tags', '', plain, STAFF],
  ['channels.offeredModels', '', plain, STAFF],
  [
    'channels.bulk',
    '',
    async ({ channel }) => ({ body: { ids: [(await channel()).id], change: { weight: 3 }, preview: false } }),
    STAFF,
  ],
  ['channels.findUnpriced', '', body({ type: 1, models: ['gpt-4o'] }), STAFF],
  ['channels.updateAllBalances', 'without channels', ({ noChannels }) => noChannels(), STAFF_OUTSIDE],
  ['channels.updateBalance', '', async ({ channel }) => ({ path: `${(await channel()).id}` }), STAFF_OUTSIDE],
  ['channels.models', '', plain, STAFF],
  ['channels.modelsByType', '', plain, MEMBERS],

  ['modelLists.list', '', plain, STAFF],
  ['modelLists.get', '', async ({ channel }) => ({ path: `${(await channel()).id}` }), STAFF],
  ['modelLists.look', '', async ({ channel }) => ({ path: `${(await channel()).id}` }), STAFF_OUTSIDE],
  [
    'modelLists.accept',
    '',
    async ({ channel }) => ({ body: { changes: [{ id: (await channel()).id, added: ['m-new'] }], preview: false } }),
    STAFF,
  ],
  [
    'modelLists.ignore',
    '',
    async ({ channel }) => ({ body: { changes: [{ id: (await channel()).id, added: ['m-new'] }] } }),
    STAFF,
  ],

  ['routes.prices', '', plain, MEMBERS],
  ['routes.groupPrices', '', query('group=vip'), STAFF],
  ['routes.view', '', query('group=default&model=gpt-4o'), STAFF],
  ['routes.models', '', query('group=default'), STAFF],
  ['routes.choices', '', query('group=default&model=gpt-4o'), STAFF],
  ['routes.dryRun', '', body({ group: 'default', model: 'gpt-4o' }), STAFF],
  ['routes.placement', '', body({ type: 1, groups: ['default'], models: ['m'], priority: 0, weight: 0 }), STAFF],
  ['routes.setPolicy', '', body({ group: 'default', model: 'gpt-4o', policy: 'balanced' }), STAFF],
  ['routes.change', '', async ({ channel }) => ({ body: heavier(await channel()) }), STAFF],
  ['channelKeys.list', '', async ({ pool }) => ({ path: `${(await pool()).id}` }), STAFF],
  ['channelKeys.counts', '', async ({ pool }) => ({ path: `${(await pool()).id}` }), STAFF],
  [
    'channelKeys.add',
    '',
    async ({ pool }) => ({ path: `${(await pool()).id}`, body: { key: 'sk-one-more-key' } }),
    STAFF,
  ],
  [
    'channelKeys.update',
    '',
    async ({ pool }) => {
      const { id, key } = await pool()
      return { path: `${id}`, body: { ids: [key], status: 2 } }
    },
    STAFF,
  ],
  ['channelKeys.remove', '', async ({ pool }) => pathOf(await pool()), STAFF],
  [
    'channelKeys.removeSome',
    '',
    async ({ pool }) => {
      const { id, key } = await pool()
      return { path: `${id}`, body: { ids: [key] } }
    },
    STAFF,
  ],
  ['channelKeys.removeSetAside', '', async ({ pool }) => ({ path: `${(await pool()).id}` }), STAFF],
  ['channelKeys.test', '', async ({ pool }) => pathOf(await pool()), STAFF_OUTSIDE],

  ['budgets.list', '', plain, STAFF],
  ['budgets.listSelf', '', plain, MEMBERS],
  ['budgets.get', 'of another account', async ({ budget }) => ({ path: `${await budget()}` }), STAFF_AMONG_MEMBERS],
  ['budgets.create', 'of a group', body({ ...BUDGET, scope: 'group', target: 'vip' }), STAFF_AMONG_MEMBERS],
  ['budgets.create', "of the user's token", async ({ token }) => budgetOf(await token()), OWNER_AND_STAFF],
  [
    'budgets.update',
    'of a group',
    async ({ budget }) => ({ body: { ...BUDGET, id: await budget() } }),
    STAFF_AMONG_MEMBERS,
  ],
  ['budgets.remove', 'of another account', async ({ budget }) => ({ path: `${await budget()}` }), STAFF_AMONG_MEMBERS],

  ['warnings.channel', '', body({ models: 'gpt-4o' }), STAFF],
  [
    'warnings.channelKeys',
    '',
    async ({ pool }) => {
      const { id, key } = await pool()
      return { path: `${id}`, body: { ids: [key] } }
    },
    STAFF,
  ],
  ['warnings.token', "the user's token", async ({ token }) => ({ body: { id: (await token()).id } }), OWNER],
  ['warnings.token', 'a new one', body({ models: 'gpt-4o' }), MEMBERS],
  ['warnings.user', 'an ordinary user', async ({ target }) => ({ body: { id: (await target()).id } }), STAFF],
  ['warnings.user', 'root', body({ id: 1 }), ROOT_ALONE],
  ['warnings.budget', 'of a group', body({ scope: 'group', target: 'vip', quota: 5 }), STAFF_AMONG_MEMBERS],
  [
    'warnings.budget',
    "of the user's token",
    async ({ token }) => ({ body: { scope: 'key', target: `${(await token()).id}`, quota: 5 } }),
    OWNER_AND_STAFF,
  ],
  [
    'warnings.budget',
    'of another account',
    async ({ budget }) => ({ body: { id: await budget(), quota: 5 } }),
    STAFF_AMONG_MEMBERS,
  ],
  ['warnings.option', '', body({ key: 'ModelAliases', value: '{}' }), STAFF],

  ['redemptions.list', '', plain, STAFF],
  ['redemptions.search', '', query('keyword=g'), STAFF],
  ['redemptions.get', '', async ({ code }) => ({ path: `${(await code()).id}` }), STAFF],
  ['redemptions.create', '', body({ name: 'gift', quota: 5, count: 2 }), STAFF],
  ['redemptions.update', '', async ({ code }) => ({ body: { id: (await code()).id, quota: 6 } }), STAFF],
  ['redemptions.update', 'status only', async ({ code }) => switched((await code()).id), STAFF],
  ['redemptions.remove', '', async ({ code }) => ({ path: `${(await code()).id}` }), STAFF],

  ['analytics.read', '', query('start=0&end=3600'), STAFF],
  ['analytics.readSelf', '', query('start=0&end=3600'), MEMBERS],
  ['analytics.attention', '', plain, STAFF],
  ['analytics.attentionSelf', '', plain, MEMBERS],
  ['logs.list', '', plain, STAFF],
  ['logs.search', '', query('keyword=x'), STAFF],
  ['logs.stat', '', plain, STAFF],
  ['logs.unknownCallers', '', plain, STAFF],
  ['logs.tail', '', plain, STAFF],
  ['logs.tailSelf', '', plain, MEMBERS],
  ['logs.dashboard', '', plain, STAFF],
  ['logs.export', '', query('format=csv'), STAFF],
  ['logs.clear', '', query('target_timestamp=5'), STAFF],
  ['logs.listSelf', '', plain, MEMBERS],
  ['logs.searchSelf', '', query('keyword=x'), MEMBERS],
  ['logs.statSelf', '', plain, MEMBERS],
  ['logs.exportSelf', '', query('format=jsonl'), MEMBERS],
  ['recordings.getSelf', 'of a call that nobody made', aRequestId, MEMBERS_REFUSED],
  ['recordings.get', 'of a call that nobody made', aRequestId, STAFF_REFUSED],

  ['options.list', '', plain, STAFF],
  ['options.update', '', body({ key: 'SystemName', value: 'Changed' }), STAFF],

  ['audit.list', '', plain, STAFF],

  ['alerts.listRules', 'of the gateway', query('owner=gateway'), STAFF],
  ['alerts.listRules', 'of the caller', query('owner=own'), MEMBERS],
  [
    'alerts.createRule',
    'of the gateway',
    async ({ destination }) => ({ body: { ...ALERT_RULE, owner: 'gateway', destinations: [await destination()] } }),
    STAFF,
  ],
  [
    'alerts.updateRule',
    "the user's",
    async ({ ownAlert }) => ({ body: { ...(await ownAlert()), threshold: 6 } }),
    OWNER,
  ],
  ['alerts.removeRule', "the user's", async ({ ownAlert }) => ({ path: `${(await ownAlert()).id}` }), OWNER],
  ['alerts.listDestinations', 'of the gateway', query('owner=gateway'), STAFF],
  ['alerts.listDestinations', 'of the caller', query('owner=own'), MEMBERS],
  ['alerts.createDestination', 'of the gateway', body({ ...ALERT_DESTINATION, owner: 'gateway' }), STAFF],
  ['alerts.createDestination', 'of the caller', body({ ...ALERT_DESTINATION, owner: 'own' }), MEMBERS],
  [
    'alerts.createDestination',
    'in a private network',
    body({ ...ALERT_DESTINATION, owner: 'gateway', private_allowed: true }),
    ROOT_ALONE,
  ],
  [
    'alerts.updateDestination',
    'of the gateway',
    async ({ destination }) => ({ body: { id: await destination(), name: 'renamed' } }),
    STAFF_AMONG_MEMBERS,
  ],
  [
    'alerts.removeDestination',
    "the user's",
    async ({ ownAlert }) => ({ path: `${(await ownAlert()).destinations[0]}` }),
    OWNER,
  ],
  [
    'alerts.testDestination',
    'of the gateway',
    async ({ destination }) => ({ path: `${await destination()}` }),
    STAFF_AMONG_MEMBERS,
  ],
  ['alerts.listDeliveries', 'of the gateway', query('owner=gateway'), STAFF],
  ['alerts.listDeliveries', 'of the caller', query('owner=own'), MEMBERS],
]

test('every endpoint of the contract has an expectation, and every expectation an endpoint [R6.07]', () => {
  const expected = new Set(MATRIX.map(([name]) => name))
  expect([...expected].sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort())
})

const NOUNS = [...new Set(ENDPOINTS.map(({ noun }) => noun))]

/** These change the callers themselves, so they come last. */
const SPENT = ['session.logout', 'users.removeSelf']

test.each(NOUNS)(
  'each caller gets from %s what their role allows, and a refused call changes nothing [R1.01 R1.02 R1.03 R4.05 R4.06 R6.07]',
  async (noun) => {
    const app = await testApp()
    const surprises: string[] = []
    let world = await makeWorld(app)
    for (const line of MATRIX.filter(([name]) => name.startsWith(`${noun}.`))) {
      surprises.push(...(await walk(app, world, line)))
      if (SPENT.includes(line[0])) world = await makeWorld(app)
    }
    expect(surprises).toEqual([])
    expect(await app.audit()).toEqual([])
  },
  60_000,
)

/** These are meant to change what the test below watches: the caller's own account, a new one, or, for a payment system, any balance. */
const CHANGES_ACCOUNTS = ['users.removeSelf', 'users.topUp', 'users.adminTopUp', 'session.login', 'session.register']

test.each(['user', 'admin'] as const)(
  'no additional or replaced member of a body lets %s change something above them',
  async (caller) => {
    const app = await testApp()
    const surprises: string[] = []
    const world = await makeWorld(app)
    const [self] = await app.db
      .selectFrom('users')
      .select(['id', 'role'])
      .where('username', '=', world.callers[caller].username ?? '')
      .execute()
    const intruders = await intrudersOf(app)
    for (const [name, of, request, outcomes] of MATRIX) {
      const endpoint = ENDPOINTS.find((entry) => entry.name === name)?.endpoint
      const isOpen = outcomes[CALLERS.indexOf(caller)] !== 'no right' && !CHANGES_ACCOUNTS.includes(name)
      if (endpoint?.body === undefined || self === undefined || !isOpen) continue
      for (const intruder of sortedFor(schemaOf(endpoint.body), intruders)) {
        const { path = '', body } = await request(world, caller)
        if (typeof body !== 'object') continue
        const before = await untouchableRows(app.db, self)
        const [id = '', key = ''] = path.split('/')
        const url = path.startsWith('?') ? endpoint.path + path : endpoint.path.replace(':id', id).replace(':key', key)
        const sent = { ...body, ...intruder }
        const answered = await world.callers[caller].send(endpoint.method, url, sent)
        const after = await untouchableRows(app.db, self)
        const what = `${name} ${of} with ${JSON.stringify(intruder)}`
        if (answered.status >= 500) surprises.push(`${what}: ${answered.status}`)
        for (const [row, content] of before) if (after.get(row) !== content) surprises.push(`${what} changed ${row}`)
        if (caller === 'user')
          for (const row of after.keys()) if (!before.has(row)) surprises.push(`${what} made ${row}`)
      }
    }
    expect(surprises).toEqual([])
    expect(await app.audit()).toEqual([])
  },
  300_000,
)

/** One by one where the body has such members; all others, which it should not know, together. */
function sortedFor({ properties = {} }: JsonSchema, intruders: Record<string, unknown>[]) {
  const { known = [], unknown = [] } = Object.groupBy(intruders, (intruder) =>
    Object.keys(intruder).every((name) => Object.hasOwn(properties, name)) ? 'known' : 'unknown',
  )
  const foreign = Object.entries(Object.assign({}, ...unknown)).filter(([name]) => !Object.hasOwn(properties, name))
  return [...known, Object.fromEntries(foreign)]
}

/** Members that a body may not have, and members that name something of root's or of another administrator. */
async function intrudersOf(app: TestApp): Promise<Record<string, unknown>[]> {
  const root = await asRoot(app)
  const colleague = await makeAdmin(app)
  const ids = new Set<number>()
  for (const [client, userId] of [[root, 1] as const, [colleague.client, colleague.id] as const]) {
    const { data: token } = await client.post('/api/token/', { name: 'theirs' })
    const { data: budget } = await client.post('/api/budget/', { ...BUDGET, scope: 'key', target: `${token.id}` })
    const { data: destination } = await client.post('/api/alert/destination/', { ...ALERT_DESTINATION, owner: 'own' })
    const rule = { owner: 'own', kind: 'budget', threshold: 5, destinations: [destination] }
    const { data: ruleId } = await client.post('/api/alert/rule/', rule)
    for (const id of [userId, token.id, budget, destination, ruleId]) ids.add(id)
  }
  const big = 1_000_000_000
  return [
    ...[...ids].flatMap((id) => [
      ...[{ id }, { ids: [id] }, { user_id: id }, { owner_id: id }, { destinations: [id] }, { target: `${id}` }],
      { scope: 'user', target: `${id}` },
    ]),
    ...[{ username: 'root' }, { owner: 'gateway' }, { owner: 'own' }, { scope: 'group', target: 'default' }],
    ...[{ role: 100 }, { role: 10 }, { quota: big }, { remain_quota: big, unlimited_quota: true }, { held: -big }],
    ...[{ used_quota: -big }, { request_count: -1 }, { overrun: big }, { status: 1 }, { status: 2 }, { status: 3 }],
    ...[{ group: 'vip' }, { inviter_id: 1 }, { aff_code: 'root' }, { rate_limits: { rpm: 0 } }, { managed: false }],
    ...[{ email: 'root@example.com' }, { github_id: '1' }, { wechat_id: '1' }, { lark_id: '1' }, { created_time: 0 }],
    ...[
      { access_token: 'x' },
      { password: PASSWORD, auth_version: 0 },
      { private_allowed: true },
      { admin_limits: {} },
    ],
  ]
}

/** Sends one line of the table as every caller, first those who will be refused, and returns unexpected results. */
async function walk(app: TestApp, world: World, [name, of, request, outcomes]: Line) {
  const endpoint = ENDPOINTS.find((entry) => entry.name === name)?.endpoint
  if (endpoint === undefined) return []
  const calls: (Call & { caller: Caller; expected: Outcome | undefined })[] = []
  for (const [index, caller] of CALLERS.entries()) {
    calls.push({ caller, expected: outcomes[index], ...(await request(world, caller)) })
  }
  const surprises: string[] = []
  const send = async ({ caller, expected, path = '', body }: (typeof calls)[number]) => {
    const [id = '', key = ''] = path.split('/')
    const url = path.startsWith('?')
      ? endpoint.path + path
      : endpoint.path.replace(':id', id).replace(':key', key).replace(':request_id', id)
    const answered = await world.callers[caller].send(endpoint.method, url, body)
    const outcome = outcomeOf(answered)
    const fits = expected === 'admitted' ? outcome === 'ok' || outcome === 'refused' : outcome === expected
    if (!fits) surprises.push(`${name} ${of} as ${caller}: ${answered.status} ${answered.message}, not ${expected}`)
    if (onlyReads && answered.headers.has('set-cookie')) surprises.push(`${name} ${of} sets a cookie`)
  }
  const onlyReads = endpoint.method === 'GET' && endpoint.effects !== true
  const callsOut = world.vendor.calls()
  const changes = ({ expected }: { expected: Outcome | undefined }) => expected === 'ok' || expected === 'admitted'
  const before = await snapshot(app.db)
  for (const call of calls.filter((call) => !changes(call))) await send(call)
  if ((await snapshot(app.db)) !== before) surprises.push(`${name} ${of} was refused and changed something`)
  for (const call of calls.filter(changes)) await send(call)
  // A GET that another site can make a browser send must not change anything: such an endpoint has `effects` in the contract.
  if (onlyReads && (await snapshot(app.db)) !== before) surprises.push(`${name} ${of} is a GET and changes something`)
  if (onlyReads && world.vendor.calls() !== callsOut) surprises.push(`${name} ${of} is a GET and calls a vendor`)
  return surprises
}

function outcomeOf({ status, success, message }: Answered): Outcome {
  if (status === 401) return 'no login'
  if (status === 403) return 'bad state'
  if (status === 200 && success) return 'ok'
  return message === '权限不足，无法进行此操作' ? 'no right' : 'refused'
}

/** Callers with separate sessions, and functions that create what they request. */
async function makeWorld(app: TestApp) {
  const admin = await makeAdmin(app)
  const user = await makeUser(app)
  const callers: Record<Caller, Client & { username?: string }> = {
    anonymous: app.client(),
    user: named(user),
    other: named(await makeUser(app)),
    admin: named(admin),
    root: { ...(await asRoot(app)), username: 'root' },
    // Only the row is marked: the session itself is valid.
    disabled: named(await withStatus(app, UserStatus.banned)),
    deleted: named(await withStatus(app, UserStatus.deleted)),
  }
  const vendor = countingVendor()
  return {
    callers,
    vendor,
    async target() {
      const { id, username } = await makeUser(app)
      return { id, username }
    },
    async colleague() {
      const { id, username } = await makeAdmin(app)
      return { id, username }
    },
    token: async () => (await user.client.post('/api/token/', { name: 'mine' })).data,
    /** Of an account that is not one of the callers. */
    async budget(): Promise<number> {
      const { id } = await makeUser(app)
      return (await admin.client.post('/api/budget/', { ...BUDGET, scope: 'user', target: `${id}` })).data
    },
    /** Of the gateway. */
    async destination(): Promise<number> {
      return (await admin.client.post('/api/alert/destination/', { ...ALERT_DESTINATION, owner: 'gateway' })).data
    },
    /** A rule of the user, as an update sends it. */
    async ownAlert() {
      const made = await user.client.post('/api/alert/destination/', { ...ALERT_DESTINATION, owner: 'own' })
      const rule = { threshold: 5, destinations: [made.data] }
      const { data: id } = await user.client.post('/api/alert/rule/', { ...rule, owner: 'own', kind: 'budget' })
      return { id, ...rule }
    },
    code: () => makeCode(admin.client),
    channel: () => makeChannel(admin.client, { base_url: vendor.url }),
    /** A channel with two keys, and the first of them. */
    async pool(): Promise<{ id: number; key: number }> {
      const fields = { base_url: vendor.url, key: 'sk-first-key-1111\nsk-second-key-2222', key_pool: true }
      const { id } = await makeChannel(admin.client, fields)
      return { id, key: (await admin.client.get(`/api/channel/${id}/keys`)).data[0].id }
    },
    async noChannels() {
      await app.db.deleteFrom('channels').execute()
      return {}
    },
  }
}

/** Refuses everything at once, and counts. */
function countingVendor() {
  let count = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      count++
      return Response.json({ error: { message: 'no' } }, { status: 404 })
    },
  })
  onTestFinished(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, calls: () => count }
}

async function withStatus(app: TestApp, status: number) {
  const user = await makeUser(app)
  await app.db.updateTable('users').set({ status }).where('id', '=', user.id).execute()
  return user
}

function named({ client, username }: { client: Client; username: string }) {
  return { ...client, username }
}

function ownLogin({ callers }: World, caller: Caller): Call {
  const { username = 'nobody' } = callers[caller]
  return { body: { username, password: caller === 'root' ? '123456' : PASSWORD } }
}

function renamed({ id }: { id: number }): Call {
  return { body: { id, display_name: 'Renamed' } }
}

function managed({ username }: { username: string }, action: string): Call {
  return { body: { username, action } }
}

function heavier({ id, priority, weight }: { id: number; priority: number; weight: number }) {
  const change = { id, priority, weight: weight + 1, seen: { priority, weight } }
  return { group: 'default', model: 'gpt-4o', changes: [change], preview: false }
}

function blocked(id: number): Call {
  return { body: { id, action: 'disable', reason: 'leaked' } }
}

function switched(id: number): Call {
  return { path: '?status_only=true', body: { id, status: 2 } }
}

let names = 0

function fresh() {
  return `fresh${++names}`
}
