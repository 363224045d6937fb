import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBinary, thisPlatform } from '../scripts/lib/binary.mjs'
import { ensureConsole } from '../scripts/lib/console-build.mjs'
import { startProgram } from '../scripts/lib/processes.ts'
import { ensureServer } from '../scripts/lib/server-build.mjs'

/* From nothing to ready on an empty database, and the memory of an idle process. */

const READY_MAX_MS = 500
const IDLE_MAX_MB = 90
/** How much longer the executable may take than the server of a checkout. */
const EXECUTABLE_RATIO_MAX = 1.2
const STARTS = 5
const IDLE_SEC = 5

/** Creates the folder, database, keys and account of a first start. */
async function once(name: string, program: string[], port: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const startedAt = performance.now()
  const args = ['start', '--port', String(port), '--host', '127.0.0.1']
  const gateway = await startProgram([...program, ...args], { DATA_DIR: dataDir })
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`)).ok) await Bun.sleep(1)
  const readyMs = performance.now() - startedAt
  const cpuMs = gateway.cpuSeconds() * 1000
  await Bun.sleep(IDLE_SEC * 1000)
  const idleMb = gateway.residentMb()
  await gateway.stop()
  rmSync(dataDir, { recursive: true, force: true })
  console.log(
    `${name}: ready after ${readyMs.toFixed(0)} ms (${cpuMs.toFixed(0)} ms of processor time), ${idleMb.toFixed(0)} MB`,
  )
  return { readyMs, idleMb }
}

const server = [process.execPath, await ensureServer()]
await ensureConsole()
const executable = [await buildBinary(thisPlatform())]
const runs = []
const executables = []
for (let start = 0; start < STARTS; start++) {
  runs.push(await once('checkout', server, 4721 + start))
  executables.push(await once('executable', executable, 4731 + start))
}
// Other load can only add to the time; memory is judged by its maximum.
const quickest = (starts: { readyMs: number }[]) => Math.min(...starts.map((run) => run.readyMs))
const readyMs = quickest(runs)
const idleMb = Math.max(...runs.map((run) => run.idleMb))
const ratio = quickest(executables) / readyMs
const ok = readyMs <= READY_MAX_MS && idleMb <= IDLE_MAX_MB && ratio <= EXECUTABLE_RATIO_MAX
console.log(
  `ready after ${readyMs.toFixed(0)} ms, limit ${READY_MAX_MS}; the executable takes ${ratio.toFixed(2)} times that, limit ${EXECUTABLE_RATIO_MAX}; idle in ${idleMb.toFixed(0)} MB, limit ${IDLE_MAX_MB}: ${ok ? 'ok' : 'NOT REACHED'}`,
)
process.exit(ok ? 0 : 1)
