import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './postgres.mjs'
import { ensureSystem } from './system.mjs'

/**
 * A private PostgreSQL, and the environment by which tests find it. A test that needs Redis or Prometheus starts its own, which it may
 * kill.
 *
 * @typedef {{ env: Record<string, string>, stop: () => Promise<void> }} Services
 * @returns {Promise<Services>}
 */
export async function startServices() {
  const programs = await ensureSystem(['postgres', 'redis', 'prometheus'])
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-services-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)

  const postgres = await startPostgres({ initdb: programs.postgres, folder })
  return {
    env: { TEST_POSTGRES_URL: postgres.url },
    async stop() {
      await postgres.stop()
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
  const { TEST_POSTGRES_URL } = process.env
  if (!TEST_POSTGRES_URL) return undefined
  return { env: { TEST_POSTGRES_URL }, stop: async () => {} }
}
