import { onTestFinished } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** The folder of PostgreSQL's own programs; undefined if there are none, or no user who may run them. */
export const postgresPrograms = (): string | undefined => {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort() : []
  const folder = versions
    .map((version) => join(root, version, 'bin'))
    .findLast((bin) => existsSync(join(bin, 'initdb')))
  const isRoot = process.getuid?.() === 0
  return isRoot && Bun.which('runuser') === null ? undefined : folder
}

/** A PostgreSQL of the test's own, which can be stopped and restarted. It ends with the test. */
export const postgresCluster = async (programs: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'))
  chmodSync(folder, 0o777)
  const port = await freePort()
  const server = serverIn(programs, join(folder, 'data'))
  const standby = serverIn(programs, join(folder, 'standby'))
  const start = () => server.start(port)
  await run(programs, ['initdb', '-D', server.data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'])
  await start()
  onTestFinished(async () => {
    await Promise.allSettled([server.stopNow(), standby.stopNow()])
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stopNow: server.stopNow,
    /** A copy that follows every commit. */
    async addStandby() {
      const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
      await run(programs, ['pg_basebackup', '-D', standby.data, ...from, '-R', '-c', 'fast', '--no-sync'])
      await standby.start(await freePort())
    },
    stopStandby: standby.stopNow,
    /** The server is lost, and its copy takes over the address. */
    async failOver() {
      await server.stopNow()
      await standby.stopNow().catch(() => {})
      await standby.start(port)
      await standby.promote()
    },
  }
}

/** A PostgreSQL on this folder. */
function serverIn(programs: string, data: string) {
  const control = (...words: string[]) => run(programs, ['pg_ctl', '-D', data, '-w', ...words])
  const settings = '-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=200'
  return {
    data,
    start: (port: number) => control('-o', `-p ${port} ${settings}`, '-l', `${data}.log`, 'start'),
    /** Immediately, like a crash: uncommitted data and every connection is lost. */
    stopNow: () => control('-m', 'immediate', 'stop'),
    promote: () => control('promote'),
  }
}

/** PostgreSQL refuses to run as root, so another user is used. */
async function run(programs: string, [program = '', ...words]: string[]) {
  const lent = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
  const child = Bun.spawn([...lent, join(programs, program), ...words], {
    ...{ cwd: '/', stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  })
  if ((await child.exited) !== 0) throw new Error(`${program} ${words.join(' ')} failed`)
}
