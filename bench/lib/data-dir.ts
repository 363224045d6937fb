import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMeasured } from './processes.ts'

export interface DataDir {
  path: string
  database: string
  /** The product on these data. */
  start(port: number): ReturnType<typeof startMeasured>
  remove(): void
}

/** A data folder as the product's first start leaves it, to be filled while nobody uses it. */
export const freshDataDir = async (port: number): Promise<DataDir> => {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const env = { DATA_DIR: path, ROOT_PASSWORD: 'bench-password', GLOBAL_API_RATE_LIMIT: '0' }
  const start = (on: number) =>
    startMeasured('packages/server/src/main.ts', ['start', '--port', String(on), '--host', '127.0.0.1'], env)
  await (await start(port)).stop()
  return {
    path,
    database: join(path, 'tollgate.db'),
    start,
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
