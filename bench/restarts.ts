import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMeasured, startProduct } from '../scripts/lib/processes.ts'
import { ensureServer } from '../scripts/lib/server-build.mjs'
import { type Check, startBalancer } from './lib/balancer.ts'
import { startBenchPostgres } from './lib/bench-postgres.ts'

/*
 * Rolling restarts behind a balancer: three nodes on PostgreSQL are stopped and started one after the other while clients call, with
 * plain answers and streams, over keep-alive connections. Every call must be answered completely, and the ledger must add up at the
 * end. BENCH_RESTARTS is the number of restarts for each kind of check.
 */

const RESTARTS = Number(process.env.BENCH_RESTARTS ?? 100)
const PORTS = [43_110, 43_111, 43_112]
const UPSTREAM_PORT = 43_119
const CLIENTS = 12
const PASSWORD = 'bench-password'

interface Seen {
  answered: number
  failed: string[]
}

const postgres = await startBenchPostgres()
const upstream = await startMeasured('bench/lib/upstream.ts', [String(UPSTREAM_PORT)], {})
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
const databaseUrl = await postgres.emptyDatabase()
const settings = (port: number) => ({
  ...{ DATA_DIR: join(dataDir, String(port)), DATABASE_URL: databaseUrl, ROOT_PASSWORD: PASSWORD },
  ...{ GLOBAL_API_RATE_LIMIT: '0', STOP_NOTICE_SECONDS: '2', MASTER_KEY: 'be'.repeat(32) },
})
const start = (port: number) => startProduct(port, settings(port))

const nodes = [await start(PORTS[0] ?? 0)]
const key = await prepare(`http://127.0.0.1:${PORTS[0]}`)
for (const port of PORTS.slice(1)) nodes.push(await start(port))

let failures = 0
for (const check of ['readyz', 'port', 'none'] satisfies Check[]) {
  const balancer = await startBalancer(PORTS, check)
  const seen: Seen = { answered: 0, failed: [] }
  let over = false
  const clients = Array.from({ length: CLIENTS }, (_, at) => callOn(balancer.url, at, () => over, seen))
  for (let restart = 0; restart < RESTARTS; restart++) {
    const at = restart % PORTS.length
    await nodes[at]?.stop()
    nodes[at] = await start(PORTS[at] ?? 0)
    // The next node is stopped when the balancer has taken this one back.
    await Bun.sleep(1500)
  }
  over = true
  await Promise.all(clients)
  balancer.stop()
  failures += seen.failed.length
  console.log(`${RESTARTS} restarts, check: ${check}: ${seen.answered} calls answered, ${seen.failed.length} failed`)
  for (const reason of new Set(seen.failed)) console.log(`  ${reason}`)
}
for (const node of nodes) await node.stop()
const audit = Bun.spawnSync([process.execPath, await ensureServer(), 'audit'], {
  env: { ...process.env, ...settings(PORTS[0] ?? 0) },
})
console.log(`The books: ${audit.stdout.toString().trim()}`)
await upstream.stop()
await postgres.stop()
rmSync(dataDir, { recursive: true, force: true })
process.exitCode = failures === 0 && audit.exitCode === 0 ? 0 : 1

async function callOn(url: string, at: number, isOver: () => boolean, seen: Seen) {
  for (let sent = at; !isOver(); sent++) {
    const stream = sent % 3 === 0
    try {
      const answer = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({
          ...{ model: stream ? 'chunks-20-25' : 'gpt-4o-mini', stream },
          messages: [{ role: 'user', content: 'How high is the bar?' }],
        }),
      })
      const text = await answer.text()
      if (answer.ok && (!stream || text.trimEnd().endsWith('[DONE]'))) seen.answered++
      else seen.failed.push(`${answer.status} ${text.slice(-200)}`)
    } catch (error) {
      seen.failed.push(String(error))
    }
    await Bun.sleep(20)
  }
}

/** A channel to the benchmark's upstream, and an unlimited key. */
async function prepare(url: string) {
  const post = (path: string, body: object, cookie = '') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const login = await post('/api/user/login', { username: 'root', password: PASSWORD })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const base_url = `http://127.0.0.1:${UPSTREAM_PORT}`
  await post(
    '/api/channel/',
    { type: 8, name: 'bench', key: 'sk', base_url, models: 'gpt-4o-mini,chunks-20-25' },
    cookie,
  )
  const tokens = await (await fetch(`${url}/api/token/`, { headers: { cookie } })).json()
  return `sk-${tokens.data[0].key}`
}
