import { Database } from 'bun:sqlite'
import { expect, onTestFinished, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { VERSION } from '../common/version.ts'
import { openDatabase } from '../database/client.ts'
import { refuseSharedSessions } from '../database/own-sessions.ts'
import { auditLedger } from '../ledger/audit/audit.ts'
import { runCommand, startCommand } from '../testing/command.ts'
import { emptyPostgres, engine, freshDatabase } from '../testing/database.ts'
import { poolingProxy } from '../testing/pooling-proxy.ts'

/** An empty machine: a data folder and an unused database. */
async function emptyMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-start-'))
  const place = await freshDatabase()
  onTestFinished(async () => {
    await place.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const database: { DATABASE_URL?: string } = place.location.startsWith('postgres')
    ? { DATABASE_URL: place.location }
    : {}
  return { folder, environment: { PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, 'data'), ...database } }
}

/** Starts the product and reads its log until it says where it listens. */
async function started(environment: Record<string, string>) {
  const child = startCommand(['start'], environment)
  onTestFinished(() => child.kill('SIGKILL'))
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  let output = ''
  let url: string | undefined
  while (url === undefined) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`It did not start: ${output} ${await new Response(child.stderr).text()}`)
    output += value
    url = /listens on (http:\/\/[\w.:]+)/.exec(output)?.[1]
  }
  return { child, url, output }
}

test('the server starts on an empty machine, serves, and stops on a signal', async () => {
  const { environment } = await emptyMachine()
  const { child, url, output } = await started(environment)
  const { data } = await (await fetch(`${url}/api/status`)).json()
  expect(data).toMatchObject({ version: VERSION, system_name: 'Tollgate' })
  expect(output).toContain('still has the default password 123456')
  expect(statSync(environment.DATA_DIR).mode & 0o777).toBe(0o700)
  expect(statSync(join(environment.DATA_DIR, 'master.key')).mode & 0o777).toBe(0o600)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)

  // With another key the secrets in the database would be lost, so it refuses to start.
  writeFileSync(join(environment.DATA_DIR, 'master.key'), Buffer.alloc(32, 1).toString('base64'))
  const second = await runCommand(['start'], environment)
  expect(second.exitCode).toBe(1)
  expect(second.errors).toMatch(
    /^Tollgate cannot start: The database was sealed with the master key \w+, but the configured one is \w+\n$/,
  )
}, 60_000)

if (engine === 'sqlite') {
  test.each(['missing', 'existing'])(
    'a database behind a link to a file that is %s lies with its locks where the link points',
    async (file) => {
      const { folder, environment } = await emptyMachine()
      const elsewhere = join(folder, 'elsewhere')
      mkdirSync(elsewhere)
      mkdirSync(environment.DATA_DIR)
      if (file === 'existing') writeFileSync(join(elsewhere, 'books.db'), '')
      symlinkSync('../elsewhere/books.db', join(environment.DATA_DIR, 'tollgate.db'))
      const { child, url } = await started(environment)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      expect(readdirSync(elsewhere).sort()).toEqual(['books.db', 'books.db-shm', 'books.db-wal', 'locks'])
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
      const { exitCode, output } = await runCommand(['audit'], environment)
      expect([exitCode, output]).toEqual([0, 'The books add up.\n'])
    },
  )
}

test('a start that finds its port taken reports it, and leaves nothing behind that looks like a lost node', async () => {
  const { environment } = await emptyMachine()
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  onTestFinished(() => taken.stop(true))
  const { exitCode } = await runCommand(['start'], { ...environment, PORT: String(taken.port) })
  expect(exitCode).toBe(1)
  const database = openDatabase(environment.DATABASE_URL ?? join(environment.DATA_DIR, 'tollgate.db'))
  const open = await database.db.selectFrom('owners').selectAll().where('closed_at', 'is', null).execute()
  await database.close()
  expect(open).toEqual([])
}, 60_000)

test('a missing master key is an error, and no new one is created beside a database that needs the old', async () => {
  const { environment } = await emptyMachine()
  const { child } = await started(environment)
  child.kill('SIGTERM')
  await child.exited
  const keyFile = join(environment.DATA_DIR, 'master.key')
  const key = readFileSync(keyFile)
  rmSync(keyFile)
  for (const words of [['start'], ['audit'], ['reset-password', 'root']]) {
    const { errors, exitCode } = await runCommand(words, environment)
    expect({ words, exitCode }).toEqual({ words, exitCode: 1 })
    expect(errors).toMatch(
      /^(Tollgate cannot start: )?The database was sealed with the master key \w+, and .* is not there/,
    )
    expect(errors.trim().split('\n')).toHaveLength(1)
    expect(existsSync(keyFile)).toBe(false)
  }
  writeFileSync(keyFile, key)
  const again = await started(environment)
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200)
  again.child.kill('SIGTERM')
  expect(await again.child.exited).toBe(0)
}, 60_000)

if (engine === 'postgres') {
  test('a pooler that lends sessions for one transaction is refused at the start; PostgreSQL itself is not', async () => {
    const { location, remove } = await emptyPostgres()
    await refuseSharedSessions(location)
    const DATABASE_URL = await poolingProxy(location)
    const { exitCode, errors } = await runCommand(['start'], { DATABASE_URL, PORT: '0' })
    expect([exitCode, errors]).toEqual([2, expect.stringContaining('Tollgate cannot start: DATABASE_URL leads to a')])
    await remove()
  }, 60_000)

  test('several machines that make their first start on one empty database at once all serve it, with one root', async () => {
    const place = await emptyPostgres()
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-start-'))
    onTestFinished(async () => {
      await place.remove()
      rmSync(folder, { recursive: true, force: true })
    })
    const machines = await Promise.all(
      ['a', 'b', 'c'].map((name) => {
        const shared = { DATABASE_URL: place.location, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
        return started({ ...shared, PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, name) })
      }),
    )
    for (const { url } of machines) {
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      const login = { method: 'POST', body: JSON.stringify({ username: 'root', password: '123456' }) }
      const { data } = await (await fetch(`${url}/api/user/login`, login)).json()
      expect(data).toMatchObject({ id: expect.any(Number), role: 100 })
    }
    const database = openDatabase(place.location)
    expect(await database.db.selectFrom('users').select('username').execute()).toEqual([{ username: 'root' }])
    expect(await database.db.selectFrom('tokens').select('name').execute()).toEqual([{ name: 'default' }])
    expect((await auditLedger(database, Math.floor(Date.now() / 1000))).findings).toEqual([])
    await database.close()
  }, 60_000)
}

test('a signal at the moment when the port opens is a stop like any other', async () => {
  const { environment } = await emptyMachine()
  for (let round = 0; round < 3; round++) {
    const { child } = await started({ ...environment, STOP_NOTICE_SECONDS: '0' })
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  }
  const { open, close } = openEpochs(environment)
  expect(await open()).toEqual([])
  await close()
}, 60_000)

/** Of processes that neither have ended their epoch nor were found dead. */
function openEpochs({ DATABASE_URL, DATA_DIR }: { DATABASE_URL?: string; DATA_DIR: string }) {
  const { db, close } = openDatabase(DATABASE_URL ?? join(DATA_DIR, 'tollgate.db'))
  return { open: () => db.selectFrom('owners').selectAll().where('closed_at', 'is', null).execute(), close }
}

test('a signal during the start ends it as soon as it serves, and nobody takes the process for lost', async () => {
  const { environment: anywhere } = await emptyMachine()
  const environment = { ...anywhere, STOP_NOTICE_SECONDS: '0' }
  const first = await started(environment)
  first.child.kill('SIGTERM')
  await first.child.exited
  const { open, close } = openEpochs(environment)
  for (let round = 0; round < 3; round++) {
    const child = startCommand(['start'], environment)
    onTestFinished(() => child.kill('SIGKILL'))
    while ((await open()).length === 0) await Bun.sleep(1)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(await open()).toEqual([])
  }
  await close()
}, 60_000)

if (engine === 'postgres') {
  test('a signal ends a start that waits for its database', async () => {
    const { environment } = await emptyMachine()
    const first = await started({ ...environment, STOP_NOTICE_SECONDS: '0' })
    first.child.kill('SIGTERM')
    await first.child.exited
    const blocker = new SQL(environment.DATABASE_URL ?? '', { max: 1 })
    const child = await blocker.begin(async (tx) => {
      await tx`LOCK TABLE options IN ACCESS EXCLUSIVE MODE`
      const waiting = startCommand(['start'], environment)
      onTestFinished(() => waiting.kill('SIGKILL'))
      for (let blocked = 0; blocked === 0; ) {
        const [row] =
          await tx`SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'options'::regclass`
        blocked = row.n
      }
      waiting.kill('SIGTERM')
      await waiting.exited
      return waiting
    })
    await blocker.close()
    expect(child.exitCode).toBe(0)
  }, 60_000)
}

if (engine === 'sqlite') {
  test('a database of a newer version is refused in one sentence', async () => {
    const { environment } = await emptyMachine()
    const { child } = await started(environment)
    child.kill('SIGTERM')
    await child.exited
    const file = new Database(join(environment.DATA_DIR, 'tollgate.db'))
    file.run("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-01-01-later', '9999')")
    file.close()
    const { errors, exitCode } = await runCommand(['start'], environment)
    expect([exitCode, errors]).toEqual([
      1,
      'Tollgate cannot start: The database was written by a newer version of Tollgate; start that version or a newer one\n',
    ])
  }, 60_000)

  test('a database file that cannot be opened, read or written is named', async () => {
    const { environment } = await emptyMachine()
    const file = join(environment.DATA_DIR, 'tollgate.db')
    mkdirSync(file, { recursive: true })
    const folder = await runCommand(['start'], environment)
    rmSync(file, { recursive: true })
    writeFileSync(file, 'no database '.repeat(1000))
    const garbage = await runCommand(['audit'], environment)
    expect([folder.errors, garbage.errors]).toEqual([
      `Tollgate cannot start: The database ${file}: unable to open database file\n`,
      `The database ${file}: file is not a database\n`,
    ])
  }, 60_000)
}

test('a wrong setting stops the start at once, with one message', async () => {
  const { environment } = await emptyMachine()
  const wrong = await runCommand(['start'], { ...environment, PORT: 'eighty' })
  expect(wrong).toEqual({
    output: '',
    errors: 'Tollgate cannot start: PORT must be a whole number from 0 to 65535\n',
    exitCode: 2,
  })
}, 30_000)

test('an environment problem that prevents the start is reported in one message, too', async () => {
  const { environment, folder } = await emptyMachine()
  const { child, url } = await started(environment)
  const taken = await runCommand(['start'], { ...environment, PORT: new URL(url).port })
  expect([taken.exitCode, taken.errors]).toEqual([1, expect.stringMatching(/^Tollgate cannot start: .*in use.*\n$/)])
  child.kill('SIGTERM')
  await child.exited
  writeFileSync(join(folder, 'file'), 'not a folder')
  const nowhere = await runCommand(['start'], { ...environment, DATA_DIR: join(folder, 'file', 'data') })
  expect([nowhere.exitCode, nowhere.errors]).toEqual([
    1,
    expect.stringMatching(/^Tollgate cannot start: .*ENOTDIR.*\n$/),
  ])
  const DATABASE_URL = 'postgres://gateway:secret@127.0.0.1:1/gateway'
  const unreachable = await runCommand(['start'], { ...environment, DATABASE_URL })
  expect([unreachable.exitCode, unreachable.errors]).toEqual([
    1,
    'Tollgate cannot start: PostgreSQL at 127.0.0.1:1: Failed to connect\n',
  ])
}, 60_000)
