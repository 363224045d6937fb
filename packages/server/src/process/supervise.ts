import type { Config } from '../common/config.ts'
import type { Log } from '../common/log.ts'
import { onStopSignals } from './stop-signals.ts'

/** In the environment of a worker: which one it is, from 0 on. */
export const WORKER = 'TOLLGATE_WORKER'
/** What a worker tells its parent when it serves. */
export const READY = 'ready'
/** What its parent tells a worker that serves: it may have heard a signal to the whole group already. */
export const STOP = 'stop'
/** The same without notice to a balancer, because of a Ctrl-C. */
export const STOP_AT_ONCE = 'stop at once'

const RESTART_MS = 500
const RESTART_MAX_MS = 30_000
/** Who has lived so long did not die of the start, and is replaced without delay again. */
const STEADY_MS = 60_000

type Child = Bun.Subprocess<'inherit', 'inherit', 'inherit'>

/**
 * Keeps as many processes on one port as the configuration says; the kernel spreads connections over them. The first
 * starts alone, so that one of them prepares the database and a mistake in the configuration is told once. A worker that
 * dies is replaced, ever later if it keeps dying. Answers the exit code, when all of them have ended on a signal.
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
        if (!(serving.has(child) && tell(child, signal === 'SIGINT' ? STOP_AT_ONCE : STOP))) child.kill('SIGTERM')
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

  /** Goes on until the stop; answers the code of the last one. As long as none has ever served, there is no second try. */
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
  return codes.every(endedWell) ? 0 : 1
}

/** How this process was started; in the one executable the program is not an argument. */
const ownCommand = () =>
  Bun.isStandaloneExecutable
    ? [process.execPath, ...process.argv.slice(2)]
    : [process.execPath, ...process.execArgv, ...process.argv.slice(1)]

/** False for one that is gone, or is going. */
function tell(child: Child, message: string) {
  try {
    child.send(message)
    return true
  } catch {
    return false
  }
}

/** By its own will, or by our signal before it could hear it. */
const endedWell = (code: number) => code === 0 || code === 128 + 15

/** Workers share their port with each other; nobody else's must be shared by mistake. */
function refuseTakenPort({ port, host }: Pick<Config, 'port' | 'host'>) {
  void Bun.serve({ port, hostname: host, fetch: () => new Response() }).stop(true)
}
