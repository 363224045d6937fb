import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { startMeasured } from '../../scripts/lib/processes.ts'

const ACCOUNTS = 40
const KEYS = 60
const CHANNELS = 5
const MODELS = Array.from({ length: 20 }, (_, number) => `gpt-4o-mini-${number}`)
const PASSWORD = 'bench-password'
const GIVE_UP_MS = 10 * 60_000
const OPENING = 1_000_000_000_000

export interface BusyOptions {
  port: number
  upstream: string
  /** The folder of the measured build. */
  checkout: string
  /** An empty PostgreSQL database; SQLite without it. */
  databaseUrl?: string
  workers?: number
  /** Forty without it; a single one has one key. */
  accounts?: number | undefined
}

/**
 * A build under the conditions of a busy operator: forty accounts, sixty keys, twenty models and five channels. A single account
 * would flatter, because all its writes hit the same pages.
 */
export const startBusyGateway = async ({
  port,
  upstream,
  checkout,
  databaseUrl,
  workers = 1,
  accounts = ACCOUNTS,
}: BusyOptions) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const { ensureServer } = await import(join(checkout, 'scripts/lib/server-build.mjs'))
  const args = ['start', '--port', String(port), '--host', '127.0.0.1', '--workers', String(workers)]
  const process = await startMeasured(await ensureServer(), args, {
    ...{ DATA_DIR: dataDir, ROOT_PASSWORD: PASSWORD, GLOBAL_API_RATE_LIMIT: '0' },
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  })
  const url = `http://127.0.0.1:${port}`
  const cookie = await signIn(url)
  const ask = (method: string, path: string, body?: unknown) => asRoot(`${url}${path}`, cookie, method, body)
  for (let number = 0; number < CHANNELS; number++) {
    const channel = { type: 8, name: `bench ${number}`, key: 'sk-bench', base_url: upstream, models: MODELS.join(',') }
    await ask('POST', '/api/channel/', channel)
  }
  const location = databaseUrl ?? `sqlite://${join(dataDir, 'tollgate.db')}`
  const keys = await addAccounts(location, accounts)
  const startedAt = performance.now()
  let sent = 0
  const post = async (key: string | undefined, body: string): Promise<void> => {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body,
    })
    const text = await answer.text()
    // On a machine that is busy with something else the ledger may wait for seconds, during which calls are refused.
    if (answer.status === 503 && performance.now() - startedAt < GIVE_UP_MS) {
      await Bun.sleep(100)
      return post(key, body)
    }
    if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  }
  return {
    ...process,
    url,
    /** The location of its database. */
    location,
    /** A call with a given body. */
    post: (body: string) => post(keys[0], body),
    /** Calls the management API as root. */
    ask,
    /** One small call, with the next key to the next model. */
    send() {
      sent++
      return post(keys[(sent * 7) % keys.length], smallCall(MODELS[(sent * 11) % MODELS.length] ?? ''))
    },
    async stop() {
      await process.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** About 100 bytes. */
export const smallCall = (model: string) =>
  JSON.stringify({ model, messages: [{ role: 'user', content: 'How high is the bar?' }] })

/** As root, or as a user with the same password. */
export async function signIn(url: string, username = 'root') {
  const login = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  return login.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function asRoot(url: string, cookie: string, method: string, body: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    ...{ method, body: JSON.stringify(body) },
    headers: { 'content-type': 'application/json', cookie },
  })
  const { success, message, data } = await answer.json()
  if (success !== true) throw new Error(`${method} ${url}: ${message}`)
  return data
}

async function addAccounts(location: string, accounts: number) {
  const sql = new SQL(location, { max: 1 })
  // The server may be writing, too.
  if (location.startsWith('sqlite:')) await sql.unsafe('PRAGMA busy_timeout = 10000')
  const ids: number[] = []
  for (let number = 0; number < accounts; number++) {
    const [{ id }] = await sql.unsafe(
      `INSERT INTO users (username, password, display_name, role, status, "group", quota, aff_code, created_time)
       VALUES ('bench-user-${number}', '', '', 1, 1, 'default', ${OPENING}, 'bench-${number}', 1) RETURNING id`,
    )
    ids.push(Number(id))
  }
  const keys: string[] = []
  for (let number = 0; number < (accounts === 1 ? 1 : KEYS); number++) {
    const key = `bench${String(number).padStart(43, '0')}`
    const hash = new Bun.CryptoHasher('sha256').update(key).digest('hex')
    await sql.unsafe(
      `INSERT INTO tokens (user_id, name, key_hash, key_sealed, status, created_time, accessed_time, expired_time,
       unlimited_quota, models, subnet) VALUES (${ids[number % accounts]}, 'bench-key-${number}', '${hash}', '', 1, 1, 1, -1, 1, '', '')`,
    )
    keys.push(`sk-${key}`)
  }
  await sql.close()
  return keys
}
