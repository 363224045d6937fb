import { execFileSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, startService } from './service.mjs'

/**
 * A PostgreSQL cluster in a temporary folder, reachable on 127.0.0.1 only.
 *
 * @param {{ initdb: string, folder: string }} needs
 */
export async function startPostgres({ initdb, folder }) {
  const user = unprivilegedUser()
  const data = join(folder, 'postgres')
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const init = ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(initdb, init, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })

  const port = await freePort()
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // fsync only matters when the machine itself crashes, and then this cluster is gone anyway. The crash tests check
    // the order of our commits under kill -9 of our own process, which does not depend on it.
    fsync: 'off',
    full_page_writes: 'off',
    lc_messages: 'C',
  }
  const stop = await startService({
    command: join(dirname(initdb), 'postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    options: { ...user, cwd: folder },
    readyWhen: 'database system is ready to accept connections',
    // SIGINT is PostgreSQL's "fast shutdown"; on SIGTERM it waits for clients to disconnect.
    stopSignal: 'SIGINT',
  })
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}

/** PostgreSQL refuses to run as root, so another user is used. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) }
    } catch {
      // No such user here: the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.')
}

/**
 * @param {'-u' | '-g'} kind
 * @param {string} name
 */
const idOf = (kind, name) => Number(execFileSync('id', [kind, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
