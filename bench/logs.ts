import { freshDataDir } from './lib/data-dir.ts'
import { fillLogs } from './lib/log-rows.ts'
import { p95 } from './lib/quantiles.ts'

/* How long log pages, statistics and the overview take with millions of entries, and with a tenth of them; the size of an entry. */

const MANY = Number(process.env.BENCH_ROWS ?? 5_000_000)
const LIMIT_MS = 50
const LIMIT_RATIO = 2
const LIMIT_BYTES = 600
const CALLS = 60
const ROUNDS = 3

const DAY = 86_400
const now = Math.floor(Date.now() / 1000)
const ahead = `end_timestamp=${now + 3600}`
const pick = <T>(...values: T[]): T => values[Math.floor(Math.random() * values.length)] as T
const user = () => `user-${pick(1, 2, 5, 20, 100, 400)}`
const model = () => `model-${pick(0, 1, 3, 10, 25, 39)}`

/** The console's requests: the default first, then one filter at a time, then several. */
const FILTERS: Record<string, () => string> = {
  'everything until one hour ahead': () => ahead,
  'of a user': () => `${ahead}&username=${user()}`,
  'of a model': () => `${ahead}&model_name=${model()}`,
  'of a token name': () => `${ahead}&token_name=${pick('default', 'key-1-1', 'key-50-2')}`,
  'of a channel': () => `${ahead}&channel=${pick(1, 8, 15)}`,
  'of a type': () => `${ahead}&type=${pick(1, 2, 3, 6)}`,
  'of seven days': () => `${ahead}&start_timestamp=${now - 7 * DAY}`,
  'of a week three months ago': () => `start_timestamp=${now - 97 * DAY}&end_timestamp=${now - 90 * DAY}`,
  'of a user and a model': () => `${ahead}&username=${user()}&model_name=${model()}`,
  'of a model, a channel and thirty days': () => {
    const number = pick(0, 1, 3, 10, 25, 39)
    const channel = ((number * 7 + pick(0, 1, 2)) % 20) + 1
    return `${ahead}&model_name=model-${number}&channel=${channel}&start_timestamp=${now - 30 * DAY}`
  },
  'of a user, a model, a token name and a type': () =>
    `${ahead}&username=${user()}&model_name=${model()}&token_name=default&type=2`,
}

const QUERIES: Record<string, () => string> = {
  ...named('page', '/api/log/?p=0&'),
  'page 900 of everything': () => `/api/log/?p=900&${ahead}`,
  'own page': () => `/api/log/self?p=0&${ahead}`,
  ...named('statistic', '/api/log/stat?'),
  'own statistic': () => `/api/log/self/stat?${ahead}`,
  overview: () => '/api/user/dashboard',
  'overview by a clock eight hours ahead': () => '/api/user/dashboard?utc_offset_minutes=480',
}

let missed = 0
const [many, few] = [await startFilled(4731, MANY), await startFilled(4732, MANY / 10)]
for (const [name, path] of Object.entries(QUERIES)) {
  let best = { many: Number.POSITIVE_INFINITY, few: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS; round++) {
    const times = { many: [] as number[], few: [] as number[] }
    for (let call = 0; call < CALLS; call++) {
      const asked = path()
      times.many.push(await many.ask(asked))
      times.few.push(await few.ask(asked))
    }
    const run = { many: p95(times.many), few: p95(times.few) }
    if (run.many < best.many) best = run
  }
  const ratio = best.many / best.few
  const ok = best.many <= LIMIT_MS && ratio < LIMIT_RATIO
  if (!ok) missed++
  console.log(
    `${name}: p95 ${best.many.toFixed(1)} ms with ${MANY} rows, ${best.few.toFixed(1)} ms with a tenth, ratio ${ratio.toFixed(2)}${ok ? '' : ' MISSED'}`,
  )
}
await Promise.all([many.stop(), few.stop()])
console.log(
  `limits ${LIMIT_MS} ms, ${LIMIT_RATIO} × and ${LIMIT_BYTES} bytes: ${missed === 0 ? 'ok' : `${missed} missed`}`,
)
process.exit(missed === 0 ? 0 : 1)

function named(kind: string, path: string) {
  return Object.fromEntries(Object.entries(FILTERS).map(([name, filter]) => [`${kind} ${name}`, () => path + filter()]))
}

/** A gateway with a full log. */
async function startFilled(port: number, rows: number) {
  const data = await freshDataDir(port)
  const started = performance.now()
  const bytes = fillLogs(data.database, rows)
  if (bytes > LIMIT_BYTES) missed++
  console.log(
    `${rows} rows made in ${((performance.now() - started) / 1000).toFixed(0)} s, ${bytes.toFixed(0)} bytes each with indexes`,
  )
  const server = await data.start(port)
  const url = `http://127.0.0.1:${port}`
  const login = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: 'bench-password' }),
  })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    async ask(path: string) {
      const at = performance.now()
      const answer = await fetch(url + path, { headers: { cookie } })
      const { success, message } = await answer.json()
      if (success !== true) throw new Error(`${path}: ${message}`)
      return performance.now() - at
    },
    async stop() {
      await server.stop()
      data.remove()
    },
  }
}
