import type { Config } from '../common/config.ts'
import type { Log } from '../common/log.ts'
import { onStopSignals } from './stop-signals.ts'

/** The environment variable with a worker's index, from 0. */
export const WORKER = 'TOLLGATE_WORKER'
/** Sent by a worker when it serves. */
export const READY = 'ready'
/** Sent to a serving worker: it may have received a signal to the whole group already. */
export const STOP = 'stop'
/** The same without notice to a balancer, because of a Ctrl-C. */
export const STOP_AT_ONCE = 'stop at once'

const RESTART_MS = 500
const RESTART_MAX_MS = 30_000
/** A process that lived this long did not fail at the start, and is replaced without delay. */
const STEADY_MS = 60_000

type Child = Bun.Subprocess<'inherit', 'inherit', 'inherit'>

/**
 * Keeps the configured number of processes on one port; the kernel spreads connections over them. The first starts alone, so that
 * one of them migrates the database and a configuration error is reported once. A worker that dies is replaced, with growing
 * delays if it keeps dying. Returns the exit code when all of them have ended on a signal.
 */
export const supervise = async (config: Pick<Config, 'port' | 'host' | 'workers'>, log: Log): Promise<number> => {
  refuseTakenPort(config)
  const children = new Set<Child>()
  const serving = new Set<Child>()
  const stop = Promise.withResolvers<void>()
  let stopping = false
  onStopSignals(['SIGTERM', 'SIGINT'], {
    stop(signal) {
      log.info(`${signal}: stopping`)
      stopping = true
      stop.resolve()
      for (const child of children) {
        if (!(serving.has(child) && sendTo(child, signal === 'SIGINT' ? STOP_AT_ONCE : STOP))) child.kill('SIGTERM')
      }
    },
    stopNow() {
      for (const child of children) child.kill('SIGTERM')
    },
  })

  const run = (number: number, onReady: () => void): Child =>
    Bun.spawn(ownCommand(), {
      env: { ...process.env, [WORKER]: String(number) },
      stdio: ['inherit', 'inherit', 'inherit'],
      ipc: (message, child) => {
        if (message !== READY) return
        serving.add(child)
        onReady()
      },
    })

  const first = Promise.withResolvers<void>()
  let served = false
  const onReady = () => {
    served = true
    first.resolve()
  }

  /** Runs until the stop; returns the last exit code. Until a worker has served once, there is no second attempt. */
  const keep = async (number: number): Promise<number> => {
    let waitMs = RESTART_MS
    for (;;) {
      const startedAt = performance.now()
      const child = run(number, onReady)
      children.add(child)
      const code = await child.exited
      children.delete(child)
      serving.delete(child)
      if (stopping || !served) return code
      if (performance.now() - startedAt > STEADY_MS) waitMs = RESTART_MS
      log.error('A worker died; another one takes its place', { pid: child.pid, code, waitMs })
      await Promise.race([stop.promise, Bun.sleep(waitMs)])
      if (stopping) return 0
      waitMs = Math.min(waitMs * 2, RESTART_MAX_MS)
    }
  }

  const kept = [keep(0)]
  const failed = await Promise.race([first.promise, ...kept])
  if (failed !== undefined) return failed
  while (!stopping && kept.length < config.workers) kept.push(keep(kept.length))
  const codes = await Promise.all(kept)
  return codes.every(exitedCleanly) ? 0 : 1
}

/** How this process was started; in the executable the program is not an argument. */
const ownCommand = () =>
  Bun.isStandaloneExecutable
    ? [process.execPath, ...process.argv.slice(2)]
    : [process.execPath, ...process.execArgv, ...process.argv.slice(1)]

/** False when the process has ended or is ending. */
function sendTo(child: Child, message: string) {
  try {
    child.send(message)
    return true
  } catch {
    return false
  }
}

/** On its own, or by our signal before it could handle it. */
const exitedCleanly = (code: number) => code === 0 || code === 128 + 15

/** Workers share their port with each other, but must not share another program's by accident. */
function refuseTakenPort({ port, host }: Pick<Config, 'port' | 'host'>) {
  void Bun.serve({ port, hostname: host, fetch: () => new Response() }).stop(true)
}
