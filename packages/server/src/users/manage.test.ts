import { expect, test } from 'bun:test'
import { Role, UserStatus } from '@tollgate/contract'
import type { ErrorCode } from '../common/errors.ts'
import { testApp } from '../testing/app.ts'
import { asRoot, makeAdmin, makeUser } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

type Outcome = { role: number; status: number } | ErrorCode

const user = { role: Role.user, status: UserStatus.enabled }
const admin = { role: Role.admin, status: UserStatus.enabled }
const banned = { status: UserStatus.banned }
const deleted = { status: UserStatus.deleted }

/** Who does what to whom, and the result. */
const MATRIX: Record<'admin' | 'root', Record<'user' | 'admin' | 'root', Record<string, Outcome>>> = {
  admin: {
    user: {
      promote: 'user.root_only',
      demote: 'user.already_ordinary',
      delete: { ...user, ...deleted },
      disable: { ...user, ...banned },
      enable: user,
    },
    admin: {
      promote: 'user.rank',
      demote: 'user.rank',
      delete: 'user.rank',
      disable: 'user.rank',
      enable: 'user.rank',
    },
    root: {
      promote: 'user.rank',
      demote: 'user.rank',
      delete: 'user.rank',
      disable: 'user.rank',
      enable: 'user.rank',
    },
  },
  root: {
    user: {
      promote: admin,
      demote: 'user.already_ordinary',
      delete: { ...user, ...deleted },
      disable: { ...user, ...banned },
      enable: user,
    },
    admin: {
      promote: 'user.already_admin',
      demote: user,
      delete: { ...admin, ...deleted },
      disable: { ...admin, ...banned },
      enable: admin,
    },
    root: {
      promote: 'user.root_protected',
      demote: 'user.root_protected',
      delete: 'user.root_protected',
      disable: 'user.root_protected',
      enable: { role: Role.root, status: UserStatus.enabled },
    },
  },
}

for (const [actor, targets] of Object.entries(MATRIX)) {
  for (const [target, actions] of Object.entries(targets)) {
    test(`what ${actor} may do to ${target === actor ? 'another ' : ''}${target} [R7.19 R4.05 R4.06]`, async () => {
      const app = await testApp()
      const client = actor === 'root' ? await asRoot(app) : (await makeAdmin(app)).client
      for (const [action, outcome] of Object.entries(actions)) {
        const role = Role[target === 'user' ? 'user' : target === 'admin' ? 'admin' : 'root']
        const { id, username } = await makeUser(app, { role })
        const answer = await client.post('/api/user/manage', { username, action })
        const after = await app.db
          .selectFrom('users')
          .select(['role', 'status'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        if (typeof outcome === 'string') {
          expect(answer).toMatchObject(refused(outcome))
          expect(after).toEqual({ role, status: UserStatus.enabled })
        } else {
          expect(answer.body).toEqual({ success: true, message: '', data: outcome })
          expect(after).toEqual(outcome)
        }
      }
    })
  }
}

test('nobody can change their own role or status', async () => {
  const app = await testApp()
  const boss = await makeAdmin(app)
  const root = await asRoot(app)
  for (const action of ['promote', 'demote', 'delete', 'disable']) {
    const own = await boss.client.post('/api/user/manage', { username: boss.username, action })
    expect(own).toMatchObject(refused('user.rank'))
    const ofRoot = await root.post('/api/user/manage', { username: 'root', action })
    expect(ofRoot).toMatchObject(refused('user.root_protected'))
  }
})

test('enabling an enabled user ends no session', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { username, client } = await makeUser(app)
  expect((await root.post('/api/user/manage', { username, action: 'enable' })).success).toBe(true)
  expect((await root.post('/api/user/manage', { username: 'root', action: 'enable' })).success).toBe(true)
  expect((await client.get('/api/user/self')).status).toBe(200)
  expect((await root.get('/api/user/self')).status).toBe(200)
})

test('a deleted user frees the name, keeps the row for the ledger, and gets no new session', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { username: 'anna', quota: 5 })
  await root.post('/api/user/manage', { username: 'anna', action: 'delete' })
  const row = await app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ status: UserStatus.deleted, quota: 5 })
  expect(row.username).toMatch(/^deleted_[0-9a-f]{32}$/)
  expect(await app.audit()).toEqual([])
  expect((await makeUser(app, { username: 'anna' })).id).not.toBe(id)
})

test('an unknown name or action is refused', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const unknown = await root.post('/api/user/manage', { username: 'nobody', action: 'disable' })
  expect(unknown).toMatchObject(refused('user.not_found'))
  const { username } = await makeUser(app)
  for (const action of ['', 'explode', 'constructor', 1]) {
    expect((await root.post('/api/user/manage', { username, action })).success).toBe(false)
  }
})

test('every action is recorded', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id, username } = await makeUser(app)
  for (const action of ['promote', 'demote', 'disable', 'enable', 'delete']) {
    await root.post('/api/user/manage', { username, action })
  }
  const { data } = await root.get(`/api/audit?target=user:${id}`)
  expect(data.map(({ action }: { action: string }) => action)).toEqual([
    'user.remove',
    'user.enable',
    'user.disable',
    'user.demote',
    'user.promote',
  ])
  expect(data.at(-1)).toMatchObject({ before: { role: 1 }, after: { role: 10 } })
})
