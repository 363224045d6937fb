import { expect, onTestFinished, test } from 'bun:test'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadMasterKeys } from '../security/master-key.ts'
import { openDatabase } from './client.ts'
import { migrate } from './migrate.ts'

/** An existing folder, open to everybody, under the usual umask. */
function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-open-'))
  chmodSync(folder, 0o755)
  const umask = process.umask(0o022)
  onTestFinished(() => {
    process.umask(umask)
    rmSync(folder, { recursive: true })
  })
  return folder
}

const rights = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]))

test('only the owner can read the database, its log, its index and the master key, in any folder', async () => {
  const folder = openFolder()
  loadMasterKeys(folder, [])
  const database = openDatabase(join(folder, 'tollgate.db'))
  await migrate({ ...database, engine: 'sqlite' })
  expect(rights(folder)).toEqual({
    'master.key': '600',
    'tollgate.db': '600',
    'tollgate.db-shm': '600',
    'tollgate.db-wal': '600',
  })
  await database.close()
})

test('permissive files of an earlier version are restricted', async () => {
  const folder = openFolder()
  const path = join(folder, 'tollgate.db')
  const first = openDatabase(path)
  await migrate({ ...first, engine: 'sqlite' })
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
  writeFileSync(join(folder, 'notes.txt'), 'not ours', { mode: 0o644 })
  const second = openDatabase(path)
  expect(rights(folder)).toEqual({
    'notes.txt': '644',
    'tollgate.db': '600',
    'tollgate.db-shm': '600',
    'tollgate.db-wal': '600',
  })
  await second.close()
  await first.close()
})
