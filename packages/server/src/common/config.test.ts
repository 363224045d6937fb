import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { ConfigError, readConfig } from './config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

/** The error with which a start is refused. */
function refusal(environment: Record<string, string>, flags: Record<string, string> = {}) {
  try {
    readConfig(environment, flags)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('Not refused')
}

test('no setting is required', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '0.0.0.0',
    workers: 1,
    stopNoticeSec: 5,
    drainSec: 30,
    dataDir: resolve('data'),
    database: resolve('data/tollgate.db'),
    databaseConnections: 10,
    statementSec: 10,
    redisUrl: undefined,
    rootPassword: undefined,
    masterKeys: [],
    trustedProxies: [],
    consoleOrigins: [],
    releasesRepository: '',
    metricsToken: undefined,
    metricsPort: undefined,
    otlp: undefined,
    limits: { api: 1200, web: 2400, critical: 20 },
    outside: {
      github: 'https://github.com',
      githubApi: 'https://api.github.com',
      lark: 'https://open.feishu.cn',
      larkPassport: 'https://passport.feishu.cn',
      turnstile: 'https://challenges.cloudflare.com',
      telegram: 'https://api.telegram.org',
    },
  })
})

test('every setting is read', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '127.0.0.1',
    DATA_DIR: '/var/lib/tollgate',
    DATABASE_URL: 'postgres://tollgate:secret@db/tollgate',
    REDIS_URL: 'rediss://:secret@cache:6380',
    ROOT_PASSWORD: 'eight888',
    MASTER_KEY: `${KEY}, ${Buffer.alloc(32, 8).toString('hex')}`,
    TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1, 2001:db8::/32, ::ffff:192.0.2.9',
    CONSOLE_ORIGINS: 'https://console.example.com, http://localhost:5173',
    RELEASES_REPOSITORY: 'owner/some.name-1',
    GLOBAL_API_RATE_LIMIT: '0',
    GLOBAL_WEB_RATE_LIMIT: '1',
    CRITICAL_RATE_LIMIT: '2',
    GITHUB_URL: 'http://127.0.0.1:1/',
    PATH: '/usr/bin',
  })
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    dataDir: '/var/lib/tollgate',
    database: 'postgres://tollgate:secret@db/tollgate',
    redisUrl: 'rediss://:secret@cache:6380',
    rootPassword: 'eight888',
    consoleOrigins: ['https://console.example.com', 'http://localhost:5173'],
    releasesRepository: 'owner/some.name-1',
    limits: { api: 0, web: 1, critical: 2 },
    outside: { github: 'http://127.0.0.1:1' },
  })
  expect(config.masterKeys).toEqual([Buffer.alloc(32, 7), Buffer.alloc(32, 8)])
  expect(config.trustedProxies.map(([address, bits]) => `${address}/${bits}`)).toEqual([
    '10.0.0.0/8',
    '192.0.2.1/32',
    '2001:db8::/32',
    '192.0.2.9/32',
  ])
})

test('an empty variable is one that is not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', MASTER_KEY: '', ROOT_PASSWORD: '' })).toEqual(readConfig({}))
})

test('flags win over the environment', () => {
  const config = readConfig({ PORT: '1', DATA_DIR: '/a' }, { port: '2', 'data-dir': '/b', 'root-password': 'eight888' })
  expect(config).toMatchObject({ port: 2, dataDir: '/b', rootPassword: 'eight888' })
})

const WRONG: [string, string[]][] = [
  ['PORT', ['x', '-1', '65536', '3000.5', '0x10', '1e3', ' 1', '99999999999']],
  ['WORKERS', ['0', '257', 'many']],
  ['DRAIN_SECONDS', ['-1', '3601']],
  ['DATABASE_URL', ['mysql://x', 'tollgate.db', 'postgres']],
  ['REDIS_URL', ['http://x', 'localhost:6379']],
  ['ROOT_PASSWORD', ['short', 'x'.repeat(129)]],
  ['MASTER_KEY', ['short', `${KEY},short`, 'x'.repeat(64)]],
  ['TRUSTED_PROXIES', ['everyone', '10.0.0.0/33', '10.0.0.0/8,x', '10', '10/8', '*']],
  ['CONSOLE_ORIGINS', ['console.example.com', 'https://console.example.com/', 'https://x.y/path', '*', 'null']],
  ['RELEASES_REPOSITORY', ['name', 'owner/', 'https://github.com/owner/name', 'owner/name/x', 'owner/na me']],
  ['GLOBAL_API_RATE_LIMIT', ['-1', 'many']],
  ['GLOBAL_WEB_RATE_LIMIT', ['-1']],
  ['CRITICAL_RATE_LIMIT', ['1.5']],
  ['GITHUB_URL', ['github.com', 'ftp://github.com']],
  ['GITHUB_API_URL', ['x']],
  ['LARK_URL', ['x']],
  ['LARK_PASSPORT_URL', ['x']],
  ['TURNSTILE_URL', ['x']],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['collector:4318', 'grpc://collector:4317']],
  ['OTEL_EXPORTER_OTLP_HEADERS', ['hunter2', 'a=%zz', '=x', 'a b=x', 'a=x%0d%0ay']],
  ['OTEL_RESOURCE_ATTRIBUTES', ['nothing']],
  ['OTEL_TRACES_SAMPLER', ['sometimes', 'toString']],
  ['OTEL_TRACES_SAMPLER_ARG', ['2', '-1', 'half', '1.5']],
  ['OTEL_BSP_SCHEDULE_DELAY', ['0', 'x']],
  ['OTEL_METRIC_EXPORT_INTERVAL', ['10']],
]

for (const [name, values] of WRONG) {
  test(`a wrong ${name} stops the start with a message that names it`, () => {
    for (const value of values) expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name} must `))
    expect(refusal({}, { [name.toLowerCase().replaceAll('_', '-')]: values[0] ?? '' })).toStartWith(`${name} must `)
  })
}

test('metrics of several workers need separate ports, and a token has a minimum length', () => {
  const workers = { WORKERS: '2', DATABASE_URL: 'postgres://db/tollgate', METRICS_TOKEN: 'sixteen-or-more-' }
  expect(() => readConfig(workers)).toThrow('METRICS_PORT')
  expect(readConfig({ ...workers, METRICS_PORT: '9100' })).toMatchObject({ metricsPort: 9100 })
  expect(() => readConfig({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN must have at least 16 characters')
})

test('telemetry is sent to the configured endpoint, with the names and values of the standard', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
  expect(readConfig({ OTEL_SERVICE_NAME: 'gateway', OTEL_TRACES_SAMPLER_ARG: '0.5' }).otlp).toBeUndefined()
  expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).otlp).toBeUndefined()
  const named = { OTEL_SERVICE_NAME: 'gateway', OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=a%2Cb' }
  const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }
  expect(
    readConfig({ ...endpoint, ...named, ...sampled, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%3Db, y=2' }).otlp,
  ).toEqual({
    tracesUrl: 'http://collector:4318/v1/traces',
    metricsUrl: 'http://collector:4318/v1/metrics',
    headers: { 'x-key': 'a=b', y: '2' },
    resource: { 'service.name': 'gateway', team: 'a,b' },
    sampler: { followsCaller: true, share: 0.25 },
    spansEveryMs: 5000,
    metricsEveryMs: 60_000,
  })
  const apart = readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/here' }).otlp
  expect(apart).toMatchObject({ tracesUrl: 'https://traces.example.com/here', metricsUrl: undefined })
})

test('several workers need PostgreSQL, and one port', () => {
  expect(refusal({ WORKERS: '2' })).toContain('needs PostgreSQL')
  expect(refusal({ WORKERS: '2', PORT: '0', DATABASE_URL: 'postgres://db/x' })).toContain('a PORT other than 0')
  expect(readConfig({ WORKERS: '2', DATABASE_URL: 'postgres://db/x' }).workers).toBe(2)
})

test('no error repeats a secret', () => {
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'MASTER_KEY']) {
    expect(refusal({ [name]: 'x://user:hunter2@host' })).not.toContain('hunter2')
  }
  expect(refusal({ ROOT_PASSWORD: 'hunter2' })).not.toContain('hunter2')
  expect(refusal({ OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' })).not.toContain('hunter2')
})

test('an unknown flag, and one without its value, are refused', () => {
  expect(refusal({}, { prot: '3000' })).toBe('There is no option --prot')
  expect(refusal({}, { 'no-such-thing': '' })).toBe('There is no option --no-such-thing')
  expect(refusal({}, { path: '/x' })).toBe('There is no option --path')
  expect(refusal({}, { port: '' })).toStartWith('PORT must ')
  expect(refusal({}, { host: '' })).toStartWith('HOST ')
})
