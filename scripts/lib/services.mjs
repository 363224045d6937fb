import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './postgres.mjs'
import { freePort, startService } from './service.mjs'
import { ensureSystem } from './system.mjs'

/**
 * A private PostgreSQL and Redis, and the environment by which tests find them.
 *
 * @typedef {{ env: Record<string, string>, stop: () => Promise<void> }} Services
 * @returns {Promise<Services>}
 */
export async function startServices() {
  const programs = await ensureSystem(['postgres', 'redis'])
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-services-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)

  const postgres = await startPostgres({ initdb: programs.postgres, folder })
  const redis = await startRedis({ server: programs.redis, folder })
  return {
    env: { TEST_POSTGRES_URL: postgres.url, TEST_REDIS_URL: redis.url },
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()])
      removeFolder()
    },
  }
}

/**
 * The services that the environment already names, as in a shell beside `npm run services`.
 *
 * @returns {Services | undefined}
 */
export function givenServices() {
  const { TEST_POSTGRES_URL, TEST_REDIS_URL } = process.env
  if (!TEST_POSTGRES_URL || !TEST_REDIS_URL) return undefined
  return { env: { TEST_POSTGRES_URL, TEST_REDIS_URL }, stop: async () => {} }
}

/**
 * A Redis that keeps nothing on disk.
 *
 * @param {{ server: string, folder: string }} needs
 */
async function startRedis({ server, folder }) {
  const port = await freePort()
  const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', daemonize: 'no' }
  const stop = await startService({
    command: server,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    options: { cwd: folder },
    readyWhen: 'Ready to accept connections',
    stopSignal: 'SIGTERM',
  })
  return { url: `redis://127.0.0.1:${port}`, stop }
}
