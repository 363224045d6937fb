import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { engine } from '../../testing/database.ts'
import { ledgerFixture } from '../../testing/ledger-fixture.ts'

setDefaultTimeout(60_000)

if (engine === 'sqlite') {
  test('the write-ahead log is copied while calls go on, and begins anew', async () => {
    const { app, store, hold, settle, account } = await ledgerFixture()
    // SQLite writes two random numbers into the header of the log when it begins anew.
    const salt = () => readFileSync(`${app.location}-wal`).subarray(16, 24).toString('hex')
    let calls = 0
    const call = async () => {
      calls++
      await store.run([hold(`c${calls}`, 5)])
      await store.run([settle(`c${calls}`, 1)])
    }
    const before = salt()
    while (calls < 40) await call()
    // Few enough that SQLite would not yet do it by itself.
    const deadline = Date.now() + 30_000
    while (salt() === before && Date.now() < deadline) {
      await call()
      await Bun.sleep(100)
    }
    expect(salt()).not.toBe(before)
    expect(await account()).toEqual({ quota: 1_000_000 - calls, held: 0, used_quota: calls, request_count: calls })
    expect(await app.audit()).toEqual([])
  })
}
