import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { parseMasterKey } from './master-key-text.ts'
import { OTLP_VARIABLES, type OtlpConfig, readOtlpConfig } from './otlp-config.ts'
import { realFile } from './real-file.ts'

/** All settings from the environment and command line flags. */
export interface Config {
  port: number
  host: string
  /** Processes that share the port. */
  workers: number
  /** How long the port stays open after the process announced that it stops. */
  stopNoticeSec: number
  /** How long running calls may continue after a stop signal. */
  drainSec: number
  dataDir: string
  /** `postgres://…`, or the path of the SQLite file. */
  database: string
  /** Connections per process to PostgreSQL. */
  databaseConnections: number
  /** Statement timeout on PostgreSQL. */
  statementSec: number
  redisUrl: string | undefined
  rootPassword: string | undefined
  masterKeys: readonly Uint8Array[]
  trustedProxies: readonly Network[]
  consoleOrigins: readonly string[]
  /** `owner/name` on GitHub; empty disables the check for releases. */
  releasesRepository: string
  /** The bearer token of `/metrics`; undefined disables it, unless it has a port of its own. */
  metricsToken: string | undefined
  /** A separate port for metrics. Each worker uses the next one. */
  metricsPort: number | undefined
  /** Where traces and metrics are exported; undefined for nowhere. */
  otlp: OtlpConfig | undefined
  limits: { api: number; web: number; critical: number }
  outside: {
    github: string
    githubApi: string
    lark: string
    larkPassport: string
    turnstile: string
    telegram: string
  }
}

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** An invalid setting stops the start; the message names it and never repeats a secret. */
export class ConfigError extends Error {}

/** Flags override the environment: `--port 4000`, `--data-dir /var/lib/tollgate`. */
export const readConfig = (
  environment: Record<string, string | undefined>,
  flags: Record<string, string> = {},
): Config => {
  const named = Object.fromEntries(
    Object.entries(flags).map(([flag, value]) => [flag.replaceAll('-', '_').toUpperCase(), value]),
  )
  const unknown = Object.keys(named).find((name) => !Object.hasOwn(Environment.shape, name))
  if (unknown !== undefined) throw new ConfigError(`There is no option --${unknown.toLowerCase().replaceAll('_', '-')}`)

  const parsed = Environment.safeParse({ ...withoutEmpty(environment), ...named })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigError(`${issue?.path.join('.')} ${issue?.message}`)
  }
  const value = parsed.data
  refuseLonelyWorkers(value)
  refuseSharedMetrics(value)
  const dataDir = resolve(value.DATA_DIR)
  return {
    port: value.PORT,
    host: value.HOST,
    workers: value.WORKERS,
    stopNoticeSec: value.STOP_NOTICE_SECONDS,
    drainSec: value.DRAIN_SECONDS,
    dataDir,
    database: value.DATABASE_URL ?? realFile(resolve(dataDir, 'tollgate.db')),
    databaseConnections: value.DATABASE_CONNECTIONS,
    statementSec: value.DATABASE_TIMEOUT_SECONDS,
    redisUrl: value.REDIS_URL,
    rootPassword: value.ROOT_PASSWORD,
    masterKeys: value.MASTER_KEY,
    trustedProxies: value.TRUSTED_PROXIES,
    consoleOrigins: value.CONSOLE_ORIGINS,
    releasesRepository: value.RELEASES_REPOSITORY,
    metricsToken: value.METRICS_TOKEN,
    metricsPort: value.METRICS_PORT,
    otlp: readOtlpConfig(value),
    limits: {
      api: value.GLOBAL_API_RATE_LIMIT,
      web: value.GLOBAL_WEB_RATE_LIMIT,
      critical: value.CRITICAL_RATE_LIMIT,
    },
    outside: {
      github: value.GITHUB_URL,
      githubApi: value.GITHUB_API_URL,
      lark: value.LARK_URL,
      larkPassport: value.LARK_PASSPORT_URL,
      turnstile: value.TURNSTILE_URL,
      telegram: value.TELEGRAM_URL,
    },
  }
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((number) => number >= min && number <= max, { error: `must be a whole number from ${min} to ${max}` })

const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })

const address = url('http:', 'https:').transform((text) => text.replace(/\/$/, ''))
const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().min(1).default('0.0.0.0'),
  WORKERS: wholeNumber(1, 256).default(1),
  STOP_NOTICE_SECONDS: wholeNumber(0, 600).default(5),
  DRAIN_SECONDS: wholeNumber(0, 3600).default(30),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_CONNECTIONS: wholeNumber(7, 1000).default(10),
  DATABASE_TIMEOUT_SECONDS: wholeNumber(1, 600).default(10),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  METRICS_PORT: wholeNumber(1, 65_000).optional(),
  ...OTLP_VARIABLES,
  ROOT_PASSWORD: z
    .string()
    .min(8, { error: 'must have at least 8 characters' })
    .max(128, { error: 'must have at most 128 characters' })
    .optional(),
  MASTER_KEY: z
    .string()
    .default('')
    .transform((text, context) => {
      const keys = list(text).map(parseMasterKey)
      if (keys.every((key) => key !== undefined)) return keys
      context.addIssue({
        code: 'custom',
        message: 'must be 32 bytes in base64 or hex (several separated by commas: the first seals)',
      })
      return z.NEVER
    }),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text, context) => {
      const bad = list(text).find((entry) => !isNetwork(entry))
      if (bad === undefined) return list(text).map(network)
      context.addIssue({ code: 'custom', message: `must be a comma list of CIDR ranges; "${bad}" is not one` })
      return z.NEVER
    }),
  CONSOLE_ORIGINS: z
    .string()
    .default('')
    .transform((text, context) => {
      const bad = list(text).find((entry) => !URL.canParse(entry) || new URL(entry).origin !== entry)
      if (bad === undefined) return list(text)
      context.addIssue({
        code: 'custom',
        message: `must be a comma list of origins such as https://console.example.com; "${bad}" is not one`,
      })
      return z.NEVER
    }),
  RELEASES_REPOSITORY: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/, { error: 'must be a repository on GitHub such as owner/name' })
    .default(''),
  GLOBAL_API_RATE_LIMIT: wholeNumber(0, 999_999_999).default(1200),
  GLOBAL_WEB_RATE_LIMIT: wholeNumber(0, 999_999_999).default(2400),
  CRITICAL_RATE_LIMIT: wholeNumber(0, 999_999_999).default(20),
  GITHUB_URL: address.default('https://github.com'),
  GITHUB_API_URL: address.default('https://api.github.com'),
  LARK_URL: address.default('https://open.feishu.cn'),
  LARK_PASSPORT_URL: address.default('https://passport.feishu.cn'),
  TURNSTILE_URL: address.default('https://challenges.cloudflare.com'),
  TELEGRAM_URL: address.default('https://api.telegram.org'),
})

/** Every variable with its default; undefined: none. */
export const environmentDefaults = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(Environment.shape).map(([name, field]) => {
      const initial = field instanceof z.ZodDefault ? field.def.defaultValue : undefined
      return [name, initial === undefined || initial === '' ? undefined : String(initial)]
    }),
  )

/** A scrape of a shared port would reach a random worker. */
function refuseSharedMetrics({ WORKERS, METRICS_TOKEN, METRICS_PORT }: z.infer<typeof Environment>) {
  if (WORKERS > 1 && METRICS_TOKEN !== undefined && METRICS_PORT === undefined) {
    throw new ConfigError(
      'METRICS_TOKEN with WORKERS above 1 needs a METRICS_PORT: each worker serves its own, the next ports',
    )
  }
}

/** Several processes need a database that supports several writers, and a fixed port. */
function refuseLonelyWorkers({ WORKERS, DATABASE_URL, PORT }: z.infer<typeof Environment>) {
  if (WORKERS === 1) return
  if (DATABASE_URL === undefined) {
    throw new ConfigError('WORKERS above 1 needs PostgreSQL (DATABASE_URL): the embedded database has one writer')
  }
  if (PORT === 0) throw new ConfigError('WORKERS above 1 needs a PORT other than 0')
}

/** `PORT=` in a unit file means "not set". */
function withoutEmpty(environment: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
}

/** The library alone would also parse `10` as 0.0.0.10. */
function isNetwork(text: string) {
  const [address = ''] = text.split('/')
  return isIP(address) !== 0 && (isIP(text) !== 0 || ipaddr.isValidCIDR(text))
}

function network(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const single = ipaddr.process(text)
  return [single, single.kind() === 'ipv4' ? 32 : 128]
}
