import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Starts a long-running program, and resolves when it is ready. It has a session of its own, so that Ctrl-C stops it last, when it is no
 * longer used.
 *
 * @param {object} service
 * @param {string} service.command
 * @param {string[]} service.args
 * @param {{ uid?: number, gid?: number, cwd?: string }} service.options
 * @param {string} service.readyWhen
 * @param {NodeJS.Signals} service.stopSignal
 * @returns {Promise<() => Promise<void>>} stops it
 */
export async function startService({ command, args, options, readyWhen, stopSignal }) {
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)

  let said = ''
  await new Promise((resolve, reject) => {
    const read = (/** @type {Buffer} */ chunk) => {
      // Only the beginning is kept: afterwards the pipes are read so that the program never blocks.
      if (said.length < 100_000) said += chunk
      if (said.includes(readyWhen)) resolve(undefined)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${command} did not start:\n${said}`)))
  })

  return async () => {
    process.off('exit', killNow)
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    const deadline = setTimeout(killNow, 10_000)
    child.kill(stopSignal)
    await gone
    clearTimeout(deadline)
  }
}

/** An unused port. Another program could take it in the next instant; on a test machine none does. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

/**
 * Whether nothing listens on the port, on any address of this machine.
 *
 * @param {number} port
 */
export function isPortFree(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
