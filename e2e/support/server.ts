import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findBun } from '../../scripts/lib/packages.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface TestServer {
  url: string
  stop: () => Promise<void>
}

/** The real server on a free port with an empty data folder. Rate limits are off: tests are faster than people. */
export async function startServer(environment: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'))
  const child = spawn(findBun(), ['packages/server/dist/main.js', 'start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      GLOBAL_API_RATE_LIMIT: '0',
      GLOBAL_WEB_RATE_LIMIT: '0',
      CRITICAL_RATE_LIMIT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  child.stderr.on('data', (data) => said.push(String(data)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))

  for await (const line of createInterface(child.stdout)) {
    said.push(line)
    const url = /listens on http:\/\/[^:]+:(\d+)/.exec(line)
    if (url === null) continue
    child.stdout.resume()
    return {
      url: `http://127.0.0.1:${url[1]}`,
      stop: async () => {
        child.kill('SIGTERM')
        await ended
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  }
  throw new Error(`The server did not start:\n${said.join('\n')}`)
}
