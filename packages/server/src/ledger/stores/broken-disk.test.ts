import { expect, test } from 'bun:test'
import { withoutBrokenDisk } from './broken-disk.ts'
import type { LedgerStore } from './store.ts'

const failing = (code: string): LedgerStore => ({
  run: () => Promise.reject(Object.assign(new Error('failed'), { code })),
  close: async () => {},
})

test.each(['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR', 'SQLITE_CORRUPT', 'EIO'])(
  'after %s nothing is answered any more, and the process exits',
  async (code) => {
    const { promise, resolve } = Promise.withResolvers<Error>()
    const store = withoutBrokenDisk(failing(code), resolve)
    const answer = store.run([]).then(
      () => 'answered',
      () => 'refused',
    )
    expect(await Promise.race([answer, promise.then(() => 'gave up')])).toBe('gave up')
  },
)

test.each(['SQLITE_FULL', 'SQLITE_BUSY', ''])(
  '%s is reported to the caller, and the process continues',
  async (code) => {
    const store = withoutBrokenDisk(failing(code), () => expect.unreachable())
    await expect(store.run([])).rejects.toThrow('failed')
  },
)
