import { onTestFinished } from 'bun:test'
import type { TestApp } from './app.ts'
import { type ProcessLimits, startCommand, storeOf } from './command.ts'

export type NodeProcess = Awaited<ReturnType<typeof startNode>>

/** The same key as in `testApp`, so that a process can read what the test has written. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** The real product as a process of its own, on the database of a test's app. It ends with the test at the latest. */
export const startNode = async (app: TestApp, environment: Record<string, string> = {}, limits: ProcessLimits = {}) => {
  const server = { PORT: '0', HOST: '127.0.0.1', MASTER_KEY, GLOBAL_API_RATE_LIMIT: '0', STOP_NOTICE_SECONDS: '0' }
  const child = startCommand(['start'], { ...storeOf(app), ...server, ...environment }, limits)
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  onTestFinished(kill)
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  let output = ''
  const listening = () => /listens on (http:\/\/[\w.:]+)/.exec(output)?.[1]
  while (listening() === undefined) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`It did not start: ${output} ${await new Response(child.stderr).text()}`)
    output += value
  }
  const waiting = new Set<() => void>()
  // An unread pipe would fill up and block the process.
  const drained = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      output += next.value
      for (const look of waiting) look()
    }
  })()
  return {
    url: listening() ?? '',
    child,
    output: () => output,
    /** Resolves when the text has been logged. */
    logged: (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => output.includes(text) && resolve()
        waiting.add(look)
        look()
      }),
    /** Like a power cut. */
    kill,
    exited: async () => {
      await drained
      return child.exited
    },
  }
}
