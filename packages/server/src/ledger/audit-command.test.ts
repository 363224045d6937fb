import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { runCommand, storeOf } from '../testing/command.ts'
import { makeUser } from '../testing/makers.ts'

test('tollgate audit says that the books add up and ends with 0; with a finding it names it and ends with 1', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { quota: 100 })
  expect(await runCommand(['audit'], storeOf(app))).toEqual({ output: 'The books add up.\n', errors: '', exitCode: 0 })

  await app.db.updateTable('users').set({ quota: 101 }).where('id', '=', id).execute()
  const { output, exitCode } = await runCommand(['audit'], storeOf(app))
  expect(output).toContain(`I3  ${id}: users.quota is the sum of the user's ledger (found 101, expected 100)\n`)
  expect(output).toEndWith('1 findings.\n')
  expect(exitCode).toBe(1)
}, 60_000)

test('tollgate audit with a setting that cannot be meant names it and ends with 2', async () => {
  const wrong = await runCommand(['audit'], { DATABASE_URL: 'mysql://localhost/x' })
  expect(wrong).toMatchObject({ output: '', exitCode: 2 })
  expect(wrong.errors).toContain('DATABASE_URL')
  const unknown = await runCommand(['audit', '--no-such-flag', '1'])
  expect(unknown.exitCode).toBe(2)
  expect(unknown.errors).toContain('--no-such-flag')
}, 60_000)
