import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ensureServer } from './server-build.mjs'

const ROOT = join(import.meta.dir, '../..')
const TICKS_PER_SECOND = 100

export interface Measured {
  pid: number
  /** CPU seconds so far, of all threads and child processes. */
  cpuSeconds(): number
  /** Megabytes of resident memory. */
  residentMb(): number
  stop(): Promise<void>
}

/** Starts the product as installed. */
export const startProduct = async (port: number, env: Record<string, string>): Promise<Measured> =>
  startMeasured(await ensureServer(), ['start', '--port', String(port), '--host', '127.0.0.1'], env)

/** Starts a script in a separate process, on one core, and waits until it listens. */
export const startMeasured = (script: string, args: string[], env: Record<string, string>) =>
  startProgram([process.execPath, resolve(ROOT, script), ...args], env)

/** The same for a program. */
export const startProgram = async (command: string[], env: Record<string, string>): Promise<Measured> => {
  const child = Bun.spawn(['taskset', '-c', '0', ...command], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  // A failing benchmark leaves no processes behind.
  process.on('exit', () => child.kill('SIGKILL'))
  await waitForLine(child.stdout, /listen/)
  return {
    pid: child.pid,
    cpuSeconds: () => treeCpuSeconds(child.pid),
    residentMb: () => residentMb(child.pid),
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

async function waitForLine(output: ReadableStream<Uint8Array>, pattern: RegExp) {
  const reader = output.getReader()
  const decoder = new TextDecoder()
  let seen = ''
  while (!pattern.test(seen)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The process ended before it listened: ${seen}`)
    seen += decoder.decode(value)
  }
  // Later output is ignored, but must not fill the pipe.
  void (async () => {
    while (!(await reader.read()).done);
  })()
}

/** Of a process and all its descendants, including ended ones. */
export function treeCpuSeconds(root: number) {
  const stats = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) stats.set(Number(name), statOf(name))
  }
  const inTree = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && pid > 1 && inTree(stats.get(pid)?.[PARENT]))
  const ticks = [...stats].flatMap(([pid, stat]) => (inTree(pid) ? stat.slice(TIMES, TIMES + 4) : []))
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND
}

/* Positions in `/proc/<pid>/stat` after the name: own user and system time, then that of ended children. */
const PARENT = 1
const TIMES = 11

function statOf(pid: string) {
  try {
    return (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ').map(Number)
  } catch {
    // It ended in between.
    return []
  }
}

function residentMb(pid: number) {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}
