import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let interrupted = false
let interrupt = () => {}

/** A shell's exit code for Ctrl-C. */
export const INTERRUPTED = 130

/**
 * Runs a command in the project's root to its end, with its output passed through, and returns its exit code. It gets a process group of
 * its own: Ctrl-C in a terminal goes to a whole group, and `forwardSignals` then decides what the command receives.
 *
 * @typedef {object} RunOptions
 * @property {Record<string, string>} [env]
 * @property {boolean} [quiet] keeps its standard output off the screen
 * @property {Promise<unknown>} [after] another command has the screen until then; what this one says is shown afterwards
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { env = {}, quiet = false, after } = {}) {
  if (interrupted) return Promise.resolve(INTERRUPTED)
  const output = after === undefined ? 'inherit' : 'pipe'
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['inherit', quiet ? 'ignore' : output, output],
    env: { ...process.env, ...env },
    detached: true,
  })
  running.add(child)
  const shown = after === undefined ? undefined : holdBack(child, after)
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      running.delete(child)
      reject(new Error(`Could not run ${command}: ${error.message}`))
    })
    child.once('exit', async (code, signal) => {
      running.delete(child)
      await shown
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

/**
 * Buffers a command's output until the screen is free, then shows it. Resolves when everything was shown.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown>} free
 */
async function holdBack(child, free) {
  /** @type {Buffer[] | undefined} */
  let kept = []
  const said = Promise.all(
    [child.stdout, child.stderr].map((stream) => {
      stream?.on('data', (data) => (kept === undefined ? process.stdout.write(data) : kept.push(data)))
      return stream === null ? undefined : new Promise((resolve) => stream.once('close', resolve))
    }),
  )
  await free.catch(() => {})
  for (const data of kept) process.stdout.write(data)
  kept = undefined
  await said
}

/**
 * The frame of every script: signals are forwarded to running commands, and a failure is one sentence, not a stack. The result of `body`
 * is the exit code.
 *
 * @param {() => Promise<number | void>} body
 */
export async function script(body) {
  forwardSignals()
  try {
    process.exitCode = (await body()) ?? 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** True after a stop signal. */
export const wasInterrupted = () => interrupted

/**
 * Resolves on a stop signal.
 *
 * @type {Promise<void>}
 */
export const interruption = new Promise((resolve) => {
  interrupt = resolve
})

/**
 * From now on a stop signal is forwarded to the running command, once. Ctrl-C under npm arrives twice, from the terminal and from npm;
 * the second would mean "stop at once". A repeat after a second is intended.
 */
function forwardSignals() {
  let lastMs = 0
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      interrupted = true
      interrupt()
      if (Date.now() - lastMs < 1000) return
      lastMs = Date.now()
      for (const child of running) signalGroup(child, signal === 'SIGHUP' ? 'SIGTERM' : signal)
    })
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // It ended between the signal and now.
  }
}
