import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '../../testing/app.ts'
import { runCommand, storeOf } from '../../testing/command.ts'
import { asRoot, makeUser } from '../../testing/makers.ts'
import { wholeBooks } from '../../testing/whole-books.ts'

/** `tollgate audit` as an operator runs it, beside the running server. */
const audit = (app: TestApp, ...flags: string[]) => runCommand(['audit', ...flags], storeOf(app))

test('tollgate audit reports that the ledger adds up and exits with 0; with a finding it names it and exits with 1', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { quota: 100 })
  expect(await audit(app)).toEqual({ output: 'The books add up.\n', errors: '', exitCode: 0 })

  await app.db.updateTable('users').set({ quota: 101 }).where('id', '=', id).execute()
  const { output, exitCode } = await audit(app)
  expect(output).toContain(`I3  ${id}: users.quota is the sum of the user's ledger (found 101, expected 100)\n`)
  expect(output).toEndWith('1 findings.\n')
  expect(exitCode).toBe(1)
}, 60_000)

test('tollgate audit --json reports the same for programs: what was checked, what it proves, every finding', async () => {
  const app = await testApp()
  const { user } = await wholeBooks(app)
  const whole = await audit(app, '--json')
  expect({ errors: whole.errors, exitCode: whole.exitCode }).toEqual({ errors: '', exitCode: 0 })
  expect(JSON.parse(whole.output)).toEqual({
    ok: true,
    audited_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.000Z$/),
    since: null,
    proves: ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I10', 'I11', 'I12', 'I13', 'I14', 'I15'],
    rows: { users: 3, tokens: 3, channels: 1, redemptions: 1, holds: 2, ledger: 4 },
    findings: [],
  })

  await app.db.updateTable('users').set({ quota: 5, held: 51 }).where('id', '=', user).execute()
  const broken = await audit(app, '--json')
  expect(broken.exitCode).toBe(1)
  const { ok, findings } = JSON.parse(broken.output)
  expect(ok).toBe(false)
  expect(findings).toContainEqual({
    ...{ invariant: 'I1', says: "users.held is the sum of the user's open holds", subject: String(user) },
    ...{ found: '51', expected: '50', repairable: true },
  })
  expect(findings).toContainEqual(expect.objectContaining({ invariant: 'I3', found: '5', repairable: false }))
}, 60_000)

test('tollgate audit --since states its bounds, and what it does not prove', async () => {
  const app = await testApp()
  const { user } = await wholeBooks(app)
  // A counter is a sum over the whole ledger: only a full audit can find it wrong.
  await app.db.updateTable('users').set({ used_quota: 31 }).where('id', '=', user).execute()
  expect((await audit(app)).output).toContain('I5')
  const { output, exitCode } = await audit(app, '--since', '1h')
  expect(exitCode).toBe(0)
  expect(output).toStartWith('The books add up.\nSince ')
  expect(output).toContain('4 ledger rows, 2 holds.')
  expect(output).toContain(
    'Not proved: what came before, and counters that are sums of the whole ledger (I3, I5, I6, I7).',
  )
  const { since, proves, rows } = JSON.parse((await audit(app, '--json', '--since=2026-01-02T03:04+01:00')).output)
  expect({ since, rows }).toMatchObject({ since: '2026-01-02T02:04:00.000Z', rows: { ledger: 4 } })
  expect(proves).toEqual(['I1', 'I2', 'I4', 'I8', 'I9', 'I10', 'I11', 'I12', 'I13', 'I14', 'I15'])
}, 60_000)

test('tollgate audit --repair lists first; with --yes it recomputes counters beside the server, and records each', async () => {
  const app = await testApp()
  const { user, token } = await wholeBooks(app)
  await app.db.updateTable('users').set({ held: 7, used_quota: 31 }).where('id', '=', user).execute()
  const listed = await audit(app, '--repair')
  expect(listed.exitCode).toBe(1)
  expect(listed.output).toEndWith(
    `2 findings.\nWould be computed again by --repair --yes:\n  users.held of ${user}: 7 → 50\n  users.used_quota of ${user}: 31 → 30\n`,
  )
  const root = await asRoot(app)
  expect((await root.get('/api/audit?target=user:')).data).toEqual([])
  expect(await app.audit()).toHaveLength(2)

  const done = await audit(app, '--repair', '--yes')
  expect(done).toEqual({
    output: `Computed again:\n  users.held of ${user}: 7 → 50\n  users.used_quota of ${user}: 31 → 30\nThe books add up.\n`,
    errors: '',
    exitCode: 0,
  })
  expect((await root.get(`/api/audit?target=user:${user}`)).data).toMatchObject([
    { action: 'books.repair', actor_name: 'tollgate', before: { used_quota: '31' }, after: { used_quota: '30' } },
    { action: 'books.repair', actor_name: 'tollgate', before: { held: '7' }, after: { held: '50' } },
  ])

  await app.db.updateTable('tokens').set({ used_quota: 0 }).where('id', '=', token).execute()
  const report = JSON.parse((await audit(app, '--repair', '--yes', '--json')).output)
  expect(report).toMatchObject({ ok: true, repaired: true, in_doubt: [] })
  expect(report.repairs).toEqual([{ column: 'tokens.used_quota', id: token, from: '0', to: '30' }])
}, 60_000)

test('tollgate audit --repair changes nothing that depends on rows which are in doubt themselves', async () => {
  const app = await testApp()
  const { user } = await wholeBooks(app)
  await sql`DELETE FROM ledger WHERE kind = 'consume'`.execute(app.db)
  const { output, exitCode } = await audit(app, '--repair', '--yes')
  expect(exitCode).toBe(1)
  expect(output).not.toContain('Computed again:')
  expect(output).toContain('Not computed again, because what it would follow from is itself among the findings:\n')
  expect(output).toContain(`  users.used_quota of ${user}: 30 → 0\n`)
  const { used_quota } = await app.db
    .selectFrom('users')
    .select('used_quota')
    .where('id', '=', user)
    .executeTakeFirstOrThrow()
  expect(used_quota).toBe(30)
}, 60_000)

const MISTAKES = [
  { flags: ['--no-such-flag', '1'], names: '--no-such-flag' },
  { flags: ['--json=yes'], names: '--json takes no value' },
  { flags: ['--yes'], names: '--yes belongs to --repair' },
  { flags: ['--repair', '--since', '1h'], names: 'leave out --since' },
  { flags: ['--since'], names: '--since must be a duration' },
]

test.each(MISTAKES)(
  'tollgate audit $flags is refused before anything is opened',
  async ({ flags, names }) => {
    const refused = await runCommand(['audit', ...flags], { DATA_DIR: '/no/such/place' })
    expect(refused).toMatchObject({ output: '', exitCode: 2 })
    expect(refused.errors).toContain(names)
  },
  60_000,
)

test('tollgate audit with an invalid setting names it and exits with 2; other commands do not accept its flags', async () => {
  const wrong = await runCommand(['audit'], { DATABASE_URL: 'mysql://localhost/x' })
  expect(wrong).toMatchObject({ output: '', exitCode: 2 })
  expect(wrong.errors).toContain('DATABASE_URL')
  const elsewhere = await runCommand(['reset-password', '--repair'], { DATA_DIR: '/no/such/place' })
  expect(elsewhere).toMatchObject({ output: '', exitCode: 2 })
  expect(elsewhere.errors).toContain('There is no option --repair')
}, 60_000)
