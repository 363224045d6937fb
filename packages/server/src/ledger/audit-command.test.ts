import { expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeUser } from '../testing/makers.ts'

const MAIN = join(import.meta.dir, '../main.ts')

/** `tollgate audit` as an operator runs it, beside the running server. */
async function audit(environment: Record<string, string>, ...flags: string[]) {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  const child = Bun.spawn([process.execPath, MAIN, 'audit', ...flags], { env, stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { output, errors, exitCode }
}

/** Where the app under test keeps its books. The folder is the app's own, and goes with it. */
const booksOf = ({ location, dataDir }: TestApp): Record<string, string> =>
  location.startsWith('postgres') ? { DATABASE_URL: location, DATA_DIR: dataDir } : { DATA_DIR: dirname(location) }

test('tollgate audit says that the books add up and ends with 0; with a finding it names it and ends with 1', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { quota: 100 })
  expect(await audit(booksOf(app))).toEqual({ output: 'The books add up.\n', errors: '', exitCode: 0 })

  await app.db.updateTable('users').set({ quota: 101 }).where('id', '=', id).execute()
  const { output, exitCode } = await audit(booksOf(app))
  expect(output).toContain(`I3  ${id}: users.quota is the sum of the user's ledger (found 101, expected 100)\n`)
  expect(output).toEndWith('1 findings.\n')
  expect(exitCode).toBe(1)
}, 60_000)

test('tollgate audit with a setting that cannot be meant names it and ends with 2', async () => {
  const wrong = await audit({ DATABASE_URL: 'mysql://localhost/x' })
  expect(wrong).toMatchObject({ output: '', exitCode: 2 })
  expect(wrong.errors).toContain('DATABASE_URL')
  const unknown = await audit({}, '--no-such-flag', '1')
  expect(unknown.exitCode).toBe(2)
  expect(unknown.errors).toContain('--no-such-flag')
}, 60_000)
