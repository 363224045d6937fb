import { expect, test } from 'bun:test'
import { runCommand } from '../testing/command.ts'
import { emptyPostgres, engine } from '../testing/database.ts'
import { poolingProxy } from '../testing/pooling-proxy.ts'
import { refuseSharedSessions } from './own-sessions.ts'

if (engine === 'postgres') {
  test('a pooler that lends sessions for one transaction is refused at the start; PostgreSQL itself is not', async () => {
    const { location, remove } = await emptyPostgres()
    await refuseSharedSessions(location)
    const DATABASE_URL = await poolingProxy(location)
    const { exitCode, errors } = await runCommand(['start'], { DATABASE_URL, PORT: '0' })
    expect([exitCode, errors]).toEqual([2, expect.stringContaining('Tollgate cannot start: DATABASE_URL leads to a')])
    await remove()
  }, 60_000)
}
