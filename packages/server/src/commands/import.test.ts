import { expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../testing/app.ts'
import { runCommand, storeOf } from '../testing/command.ts'
import { bcrypt, sourceFile } from '../testing/imports/source-files.ts'

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-import-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const rows = async () => ({
  users: [
    { id: 1, username: 'admin', password: await bcrypt('of admin'), role: 100, quota: 50, aff_code: 'a' },
    {
      id: 4,
      username: 'anna',
      password: await bcrypt('of anna'),
      quota: 30,
      used_quota: 20,
      request_count: 2,
      aff_code: 'b',
    },
  ],
  tokens: [{ id: 9, user_id: 4, key: 'k'.repeat(48), name: 'prod', unlimited_quota: 1, used_quota: 20 }],
})

test('tollgate import fills an empty folder, which has the accounts of the other gateway then, and no default root', async () => {
  const store = { DATA_DIR: folder() }
  const path = sourceFile('one-api', await rows())
  const rehearsal = await runCommand(['import', path], store)
  expect([rehearsal.errors, rehearsal.exitCode]).toEqual(['', 0])
  expect(rehearsal.output).toContain('2 accounts')
  expect(rehearsal.output).toContain('With --yes it is carried out.')

  const done = await runCommand(['import', path, '--yes'], store)
  expect([done.errors, done.exitCode]).toEqual(['', 0])
  expect(done.output).toStartWith('Importing from one-api\n')
  expect((await runCommand(['audit'], store)).output).toBe('The books add up.\n')
  expect((await runCommand(['reset-password', 'root'], store)).output).toBe('There is no user root.\n')
  expect((await runCommand(['reset-password', 'admin'], store)).output).toStartWith('New password of admin: ')
}, 60_000)

test('root of a new installation, whose password nobody has changed, gets that of the other gateway', async () => {
  const app = await testApp({ firstStart: true })
  const [admin, ...others] = (await rows()).users
  const path = sourceFile('one-api', { users: [{ ...admin, username: 'root' }, ...others] })
  const { output, errors } = await runCommand(['import', path, '--yes'], { ...storeOf(app), ...keyOf(7) })
  expect(errors).toBe('')
  expect(output).toContain('root has the password of the other gateway now')
  const login = (password: string) => app.client().post('/api/user/login', { username: 'root', password })
  expect((await login('of admin')).data).toMatchObject({ id: 1, role: 100, default_password: false })
  expect((await login('123456')).success).toBe(false)
}, 60_000)

test('a root that came with the published password is told to change it', async () => {
  const app = await testApp({ firstStart: true })
  const [admin] = (await rows()).users
  const path = sourceFile('one-api', { users: [{ ...admin, password: await bcrypt('123456') }] })
  const { output } = await runCommand(['import', path, '--yes'], { ...storeOf(app), ...keyOf(7) })
  expect(output).toContain('1 × still has the default password 123456: change it at once: admin')
  const login = await app.client().post('/api/user/login', { username: 'admin', password: '123456' })
  expect(login.data).toMatchObject({ role: 100, default_password: true })
}, 60_000)

/** The key of test apps. */
const keyOf = (byte: number) => ({ MASTER_KEY: Buffer.alloc(32, byte).toString('base64') })

test.each([
  [[], /^Which database\? tollgate import \/path/],
  [['/does/not/exist.db'], /^There is no file \/does\/not\/exist\.db\n$/],
  [['postgres://user:secret-word@127.0.0.1:1/oneapi'], /^The other gateway's database cannot be read: /],
  [['x.db', '--logs', 'some'], /^--logs must be a duration such as 90m/],
  [['x.db', '--yes=1'], /^--yes takes no value\n$/],
])(
  'an import that cannot begin says why, and exits with 2: %j',
  async (words, says) => {
    const { output, errors, exitCode } = await runCommand(['import', ...words], { DATA_DIR: folder() })
    expect([output, exitCode]).toEqual(['', 2])
    expect(errors).toMatch(says)
    expect(errors).not.toContain('secret-word')
  },
  30_000,
)

test('a file that is no database of another gateway is refused', async () => {
  const path = join(folder(), 'other.db')
  writeFileSync(path, 'not a database')
  const noDatabase = await runCommand(['import', path, '--yes'], { DATA_DIR: folder() })
  expect([noDatabase.exitCode, noDatabase.errors]).toEqual([
    2,
    expect.stringMatching(/cannot be read: file is not a database\n$/),
  ])
  const empty = await runCommand(['import', sourceFile('one-api', {}), '--yes'], { DATA_DIR: folder() })
  expect(empty.errors).toBe('This is not a database of one-api or new-api with accounts in it.\n')
}, 30_000)
