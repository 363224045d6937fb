#!/usr/bin/env bun

import { IMPORT_FLAGS } from './commands/import-flags.ts'
import { seconds, systemClock } from './common/clock.ts'
import { type Config, ConfigError, readConfig } from './common/config.ts'
import { createLog, type Log } from './common/log.ts'
import { VERSION } from './common/version.ts'
import { withTimeout } from './common/with-timeout.ts'
import { AUDIT_FLAGS, readAuditOptions } from './ledger/audit/audit-options.ts'
import type { RecordChange } from './ledger/audit/repair.ts'
import { onStopSignals } from './process/stop-signals.ts'
import { READY, STOP, STOP_AT_ONCE, supervise, WORKER } from './process/supervise.ts'
import { surviveUnhandledRejections } from './process/unhandled-rejections.ts'

// A command loads what it needs: the parent of workers, for one, has no use for the product itself. Constants are above the `await` of the
// command, because a signal during the start needs them.

const USAGE = `Tollgate ${VERSION}

  tollgate start            serve the gateway and its console
  tollgate demo             the same with a built-in provider, accounts and a week of history
  tollgate audit            recompute every balance from the ledger; exit code 1 when something does not add up
      --json                for programs
      --since 24h           only what has happened since: a duration, a date, or a time with its zone
      --repair              list the counters that could be computed again; with --yes, do it
  tollgate import DATABASE  bring accounts, keys, channels, codes, settings and log here from one-api or new-api: a file, mysql://… or postgres://…
      --yes                 carry it out; without it, everything is tried, reported and taken back
      --logs 90d            how much of the log: all (default), none, or a duration or date
  tollgate reset-password   give an account a new password: tollgate reset-password root
  tollgate health           exit code 0 when the server on this machine takes calls

Options of every command: --port, --host, --workers, --data-dir, --database-url, --redis-url, … (the guide lists all: /docs/guide on the server)
`

/** Flags of single commands, and flags without a value. */
const OWN_FLAGS = new Map<string, readonly string[]>([
  ['audit', AUDIT_FLAGS],
  ['import', IMPORT_FLAGS],
])
const SWITCHES = ['help', 'version', 'json', 'repair', 'yes']
const SHORT = new Map([
  ['-h', '--help'],
  ['-v', '--version'],
])

/** Ctrl-C: someone sits at the terminal and waits. */
const TERMINAL = 'SIGINT'

/** How long a stop waits for the end of the start. */
const START_MS = 5_000

type Command = (config: Config, words: string[], own: Record<string, string>) => Promise<number | undefined>

const commands: Record<string, Command> = {
  async start(config) {
    const log = createLog()
    const isWorker = process.env[WORKER] !== undefined
    if (config.workers > 1 && !isWorker) return supervise(config, log)
    const { start } = await import('./process/start.ts')
    surviveUnhandledRejections(log)
    await (isWorker ? untilParentStops : untilStopped)(() => start(config, log), log)
    return undefined
  },

  async demo(config) {
    const log = createLog()
    const { startDemo } = await import('./demo/demo.ts')
    surviveUnhandledRejections(log)
    await untilStopped(() => startDemo(config, log), log)
    return undefined
  },

  async audit(config, _words, own) {
    const now = seconds(systemClock)
    const auditOptions = readAuditOptions(own, now)
    const [{ openStore }, { LONG_RUNNING }, { auditCommand }, { createAuditService, OPERATOR }, { endLedgerAlarm }] =
      await Promise.all([
        import('./process/start.ts'),
        import('./database/client.ts'),
        import('./ledger/audit/audit-command.ts'),
        import('./audit/audit-service.ts'),
        import('./jobs/ledger-alarm.ts'),
      ])
    const { database } = await openStore(config, LONG_RUNNING)
    const audit = createAuditService({ db: database.db, clock: systemClock })
    const recordChange: RecordChange = (tx, change) => audit.record(tx, OPERATOR, change)
    const code = await auditCommand(database, config.database, auditOptions, now, recordChange, console.log)
    if (code === 0 && auditOptions.sinceSec === undefined) await endLedgerAlarm({ db: database.db, audit })
    await database.close()
    return code
  },

  async import(config, [location], own) {
    const [{ openStore }, { LONG_RUNNING }, { importCommand }] = await Promise.all([
      import('./process/start.ts'),
      import('./database/client.ts'),
      import('./commands/import.ts'),
    ])
    const { database, vault } = await openStore(config, LONG_RUNNING)
    try {
      const needs = { db: database.db, vault, clock: systemClock, log: createLog(), print: console.log }
      await importCommand(needs, location, own)
    } finally {
      await database.close()
    }
    return 0
  },

  async 'reset-password'(config, [username = 'root']) {
    const [{ openStore }, { resetPassword }] = await Promise.all([
      import('./process/start.ts'),
      import('./commands/reset-password.ts'),
    ])
    const { database, vault } = await openStore(config)
    const reset = await resetPassword({ db: database.db, vault, log: createLog() }, username)
    await database.close()
    console.log(
      reset === undefined ? `There is no user ${username}.` : `New password of ${username}: ${reset.password}`,
    )
    if (reset?.opened === true) console.log('Signing in with a password was switched off; it is on again.')
    return reset === undefined ? 1 : 0
  },

  async health(config) {
    const { isReady } = await import('./integrations/own-health.ts')
    const ready = await isReady(config)
    console.log(ready ? 'ready' : `Nothing takes calls on port ${config.port}.`)
    return ready ? 0 : 1
  },
}

const { command, words, flags } = parseArguments(process.argv.slice(2))
const run = Object.hasOwn(commands, command) ? commands[command] : undefined
if (command === 'help' || command === 'version') {
  console.log(command === 'version' ? VERSION : USAGE)
  process.exit(0)
}
if (run === undefined) {
  console.error(`There is no command "${command}".\n\n${USAGE}`)
  process.exit(2)
}
try {
  const own = Object.fromEntries(Object.entries(flags).filter(([name]) => OWN_FLAGS.get(command)?.includes(name)))
  const everyones = Object.fromEntries(Object.entries(flags).filter(([name]) => !Object.hasOwn(own, name)))
  const code = await run(readConfig(process.env, everyones), words, own)
  if (code !== undefined) process.exit(code)
} catch (error) {
  const starts = command === 'start' || command === 'demo'
  console.error(isUserError(error) ? `${starts ? 'Tollgate cannot start: ' : ''}${error.message}` : error)
  process.exit(error instanceof ConfigError ? 2 : 1)
}

/** A setting, or the machine: a port in use, a read-only folder, a file that is not a database. */
function isUserError(error: unknown): error is Error {
  if (error instanceof ConfigError) return true
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

interface Stoppable {
  stop(how: { atOnce: boolean }): Promise<void>
}

/**
 * What a signal stops; a second one, at least a second later, means: now. Signals are handled before the start: a server that has just
 * opened its port may have calls to finish. A start that takes longer has none, and is not waited for.
 */
function stoppable(log: Log, signals: readonly string[]) {
  const started = Promise.withResolvers<Stoppable>()
  const end = async (reason: string) => {
    log.info(`${reason}: stopping`)
    if (await withTimeout(START_MS, started.promise))
      await (await started.promise).stop({ atOnce: reason === TERMINAL })
    process.exit(0)
  }
  const begin = onStopSignals(signals, { stop: (reason) => void end(reason), stopNow: () => process.exit(1) })
  return { begin, serve: started.resolve }
}

async function untilStopped(start: () => Promise<Stoppable>, log: Log) {
  const { serve } = stoppable(log, ['SIGTERM', 'SIGINT'])
  serve(await start())
}

/** The parent forwards signals; a Ctrl-C, which the terminal sends to every process, is handled by the parent. */
async function untilParentStops(start: () => Promise<Stoppable>, log: Log) {
  const { begin, serve } = stoppable(log, ['SIGTERM', 'disconnect'])
  process.on('message', (message) => {
    if (message === STOP) begin('The parent')
    if (message === STOP_AT_ONCE) begin(TERMINAL)
  })
  process.on('SIGINT', () => {})
  serve(await start())
  process.send?.(READY)
}

/** `start --port 4000 word` → the command, its words, and the flags with their values. */
function parseArguments(argv: string[]) {
  const words: string[] = []
  const flags: Record<string, string> = {}
  for (let index = 0; index < argv.length; index++) {
    const given = argv[index] ?? ''
    const word = SHORT.get(given) ?? given
    if (!word.startsWith('--')) {
      words.push(word)
      continue
    }
    const [name = '', inline] = word.slice(2).split('=', 2)
    flags[name] = inline ?? (SWITCHES.includes(name) ? '' : (argv[++index] ?? ''))
  }
  // Asked beside a command too, which then does not run.
  const asked = ['help', 'version'].find((name) => Object.hasOwn(flags, name))
  return { command: asked ?? words[0] ?? 'start', words: words.slice(1), flags }
}
