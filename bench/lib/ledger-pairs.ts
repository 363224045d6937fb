import { Database } from 'bun:sqlite'
import { dirname } from 'node:path'
import { systemClock } from '../../packages/server/src/common/clock.ts'
import { createLog } from '../../packages/server/src/common/log.ts'
import { openDatabase } from '../../packages/server/src/database/client.ts'
import type { CallLog } from '../../packages/server/src/ledger/books.ts'
import { createCallLedger } from '../../packages/server/src/ledger/call-ledger.ts'
import { openBooks } from '../../packages/server/src/ledger/stores/open-store.ts'

/* Holds and settles through the product's own ledger, and reports pairs per second. */

const [path = '', pairs = '0'] = process.argv.slice(2)
const CONCURRENCY = 128
const WARM_UP = 2000

const payers = readPayers()
const database = openDatabase(path)
const log = createLog()
const books = await openBooks(database, { location: path, dataDir: dirname(path) }, systemClock, log)
const inPoints = (quota: number) => ({ zh: `${quota}`, en: `${quota}` })
const ledger = createCallLedger({ ...books, clock: systemClock, log, amountText: inPoints })

await run(WARM_UP)
const before = process.cpuUsage()
const startedAt = performance.now()
await run(Number(pairs))
const seconds = (performance.now() - startedAt) / 1000
const { user, system } = process.cpuUsage(before)
await books.close()
await database.close()
console.log(JSON.stringify({ perSecond: Number(pairs) / seconds, microseconds: (user + system) / Number(pairs) }))

async function run(count: number) {
  let started = 0
  const caller = async () => {
    while (started < count) await pair(started++)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
}

async function pair(number: number) {
  const payer = payers[number % payers.length]
  if (payer === undefined) throw new Error('There are no users')
  const hold = await ledger.hold(payer, Bun.randomUUIDv7(), 1000, '{"model":"gpt-4o-mini"}')
  await hold.settle({ actual: 300, done: true, channelId: 1, log: logOf(payer, hold.id, number), keepLog: true })
}

function logOf({ userId }: { userId: number }, requestId: string, number: number): CallLog {
  return {
    ...{ user_id: userId, created_at: Math.floor(Date.now() / 1000), type: 2, channel: (number % 5) + 1 },
    ...{ username: `bench-${userId}`, token_name: 'default', model_name: `model-${number % 10}` },
    ...{
      prompt_tokens: 900,
      completion_tokens: 100,
      quota: 300,
      content: '倍率：1 × 1 × 4',
      content_en: 'Ratio: 1 × 1 × 4',
    },
    ...{ request_id: requestId, elapsed_time: 812, first_byte_time: 240, is_stream: 0 },
    detail: '{"usage":{"input":900,"output":100},"source":"reported","attempts":[{"channel":1,"status":200,"ms":812}]}',
    session: null,
    outcome: 'success',
    ...{ cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
  }
}

function readPayers() {
  const file = new Database(path)
  const found = file
    .query<{ userId: number; tokenId: number }, []>(
      "SELECT user_id AS userId, id AS tokenId FROM tokens WHERE key_hash LIKE 'bench-%'",
    )
    .all()
  file.close()
  return found
}
