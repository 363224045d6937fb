import { join } from 'node:path'
import { ensureServer } from '../scripts/lib/server-build.mjs'
import { freshDataDir } from './lib/data-dir.ts'
import { addCalls, addUsers } from './lib/ledger-rows.ts'

/* Holds and settlements per second on one core, and the duration of an audit of a million rows. */

const PAIRS = Number(process.env.BENCH_PAIRS ?? 30_000)
const PAIRS_GOAL = 5000
const AUDIT_ROWS = 1_000_000
const AUDIT_GOAL_SEC = 5
const ROUNDS = 3
const ROOT = join(import.meta.dir, '..')

const data = await freshDataDir(4741)
addUsers(data.database)
let perSecond = 0
for (let round = 0; round < ROUNDS; round++) {
  const { output } = await onOneCore([join(ROOT, 'bench/lib/ledger-pairs.ts'), data.database, String(PAIRS)])
  const measured = JSON.parse(output.trim().split('\n').at(-1) ?? '{}')
  perSecond = Math.max(perSecond, measured.perSecond)
  console.log(
    `${measured.perSecond.toFixed(0)} pairs of hold and settle a second, ${measured.microseconds.toFixed(0)} µs of processor time each`,
  )
}

addCalls(data.database, AUDIT_ROWS)
const main = await ensureServer()
const startedAt = performance.now()
const { output, exitCode } = await onOneCore([main, 'audit', '--data-dir', data.path])
const seconds = (performance.now() - startedAt) / 1000
console.log(
  `audit of ${AUDIT_ROWS + ROUNDS * PAIRS} ledger rows: ${seconds.toFixed(1)} s; ${output.trim().split('\n').at(-1)}`,
)
data.remove()

const ok = perSecond >= PAIRS_GOAL && seconds <= AUDIT_GOAL_SEC && exitCode === 0
console.log(
  `${perSecond.toFixed(0)} pairs/s, goal ${PAIRS_GOAL}; audit ${seconds.toFixed(1)} s, goal ${AUDIT_GOAL_SEC}: ${ok ? 'ok' : 'MISSED'}`,
)
process.exit(ok ? 0 : 1)

async function onOneCore(command: string[]) {
  const child = Bun.spawn(['taskset', '-c', '0', process.execPath, ...command], { stdout: 'pipe', stderr: 'inherit' })
  const output = await new Response(child.stdout).text()
  return { output, exitCode: await child.exited }
}
