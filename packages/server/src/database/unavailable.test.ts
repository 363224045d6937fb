import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { isDatabaseUnavailable } from './unavailable.ts'

const failureOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

test('a file that has become read-only passes like a full disk; a wrong statement does not', () => {
  const file = new Database(':memory:')
  file.run('CREATE TABLE rows (id INTEGER PRIMARY KEY)')
  const wrong = failureOf(() => file.run('INSERT INTO rows VALUES (1), (1)'))
  file.run('PRAGMA query_only = ON')
  const refused = failureOf(() => file.run('INSERT INTO rows VALUES (2)'))
  expect([refused, wrong]).toMatchObject([{ code: 'SQLITE_READONLY' }, { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }])
  expect([refused, wrong].map(isDatabaseUnavailable)).toEqual([true, false])
  file.close()
})
