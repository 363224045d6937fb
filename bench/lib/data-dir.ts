import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Measured, startProduct } from '../../scripts/lib/processes.ts'

export interface DataDir {
  path: string
  database: string
  /** Starts the product on this data. */
  start(port: number): Promise<Measured>
  remove(): void
}

/** A data folder after the product's first start, to be filled while it is stopped. */
export const freshDataDir = async (port: number): Promise<DataDir> => {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const env = { DATA_DIR: path, ROOT_PASSWORD: 'bench-password', GLOBAL_API_RATE_LIMIT: '0' }
  const start = (on: number) => startProduct(on, env)
  await (await start(port)).stop()
  return {
    path,
    database: join(path, 'tollgate.db'),
    start,
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
