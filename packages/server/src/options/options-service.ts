import { isOptionKey, OPTION_KEYS, OPTIONS, type OptionKey, type OptionValues } from '@tollgate/contract'
import type { AuditService, Author } from '../audit/audit-service.ts'
import type { Clock } from '../common/clock.ts'
import { GatewayError, type Language } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import { reasonOf } from '../common/validation.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import { lookupHash } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import { ABSENT_OPTIONS, isAbsentDefault, isAbsentOption } from './absent-options.ts'
import { secretContext } from './bound-secrets.ts'
import { INITIAL_OPTIONS } from './initial-options.ts'
import { type Root, refuseLockout } from './lockout.ts'
import { optionsRepository } from './options-repository.ts'
import { refuseUnready } from './prerequisites.ts'

export type OptionsService = ReturnType<typeof createOptionsService>

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  audit: AuditService
  log: Log
  accounts: { findRoot(): Promise<Root | undefined> }
}

interface Change {
  key: string
  value: string
  /** What the change was made from. */
  base?: string | undefined
}

/** Another node may have changed an option; this is the maximum age of the cache. */
const FRESH_MS = 1000

/** The settings of the site: read from memory, written to the database, at most a second apart between nodes. */
export const createOptionsService = ({ db, clock, vault, audit, log, accounts }: Needs) => {
  /** Values are read every second; an invalid one is reported once. */
  const reported = new Map<OptionKey, string>()
  const report = (key: OptionKey, text: string) => {
    if (reported.get(key) === text) return
    reported.set(key, text)
    log.warn(`The stored value of ${key} is not valid; the default is used`)
  }

  let stored = new Map<string, string>()
  let texts = new Map<OptionKey, string>()
  let values = parseAll(texts, report)
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let readsBegun = 0
  let forgotten = 0
  let readShown = 0

  const textOf = (key: OptionKey) => asKept(key, texts.get(key) ?? OPTIONS[key].default)

  const show = (rows: ReadonlyMap<string, string>) => {
    const plain = (key: OptionKey) => rows.get(key) ?? OPTIONS[key].default
    texts = new Map(
      OPTION_KEYS.filter((key) => rows.has(key)).map((key) => [
        key,
        OPTIONS[key].class === 'secret' ? opened(vault, plain(key), secretContext(key, plain)) : plain(key),
      ]),
    )
    values = parseAll(texts, report)
  }

  const read = async () => {
    const turn = ++readsBegun
    const before = forgotten
    const begunAt = clock.now()
    const rows = await optionsRepository(db).all()
    // A slower, earlier read would bring back old values.
    if (turn < readShown) return
    readShown = turn
    // Read every second and hardly ever changed, while a table of prices takes milliseconds to parse.
    if (rows.length !== stored.size || rows.some(({ key, value }) => stored.get(key) !== value)) {
      stored = new Map(rows.map(({ key, value }) => [key, value]))
      show(stored)
    }
    // The start time: changes made meanwhile may have been missed.
    if (before === forgotten) readAt = begunAt
  }

  /** Marks the cache as outdated, whatever its age. */
  const forget = () => {
    forgotten++
    readAt = Number.NEGATIVE_INFINITY
  }

  return {
    /** Every setting, parsed. */
    values: (): OptionValues => values,

    /** One of them as it is stored. */
    textOf,

    /** Ensures that `values` is at most a second old, or younger, and returns its time. */
    async refresh(maxAgeMs = FRESH_MS) {
      if (Math.abs(clock.now() - readAt) < maxAgeMs) return readAt
      reading ??= read().finally(() => {
        reading = undefined
      })
      await reading
      return readAt
    },

    /** Another node has changed something. */
    forget,

    /** For a new database. */
    async writeInitial(tx: Tx) {
      for (const [key, value] of Object.entries(INITIAL_OPTIONS)) await optionsRepository(tx).save(key, value)
      forget()
    },

    list: () => ({
      visible: [
        ...OPTION_KEYS.filter((key) => OPTIONS[key].class !== 'secret').map((key) => ({ key, value: textOf(key) })),
        ...[...ABSENT_OPTIONS].map(([key, value]) => ({ key, value })),
      ],
      secretsSet: OPTION_KEYS.filter((key) => OPTIONS[key].class === 'secret' && textOf(key) !== ''),
    }),

    async update(by: Author, { key, value: sent, base }: Change, language: Language) {
      if (isAbsentOption(key)) {
        if (isAbsentDefault(key, sent)) return
        throw new GatewayError('option.no_oidc', { key })
      }
      if (!isOptionKey(key)) throw new GatewayError('option.unknown', { key })
      const value = asKept(key, sent)
      const parsed = OPTIONS[key].schema.safeParse(value)
      if (!parsed.success)
        throw new GatewayError('option.invalid', { key, field: key, reason: reasonOf(parsed.error, language) })
      await read()
      refuseUnready(key, parsed.data, values)
      refuseLockout(key, parsed.data, values, await accounts.findRoot())
      const secret = OPTIONS[key].class === 'secret'
      await transact(db, async (tx) => {
        const before = secret ? textOf(key) : asKept(key, await optionsRepository(tx).locked(key, OPTIONS[key].default))
        // A repeated call, whose first answer was lost, finds its own value.
        if (base !== undefined && !secret && before !== base && before !== value)
          throw new GatewayError('option.changed_meanwhile', { key, field: key })
        await optionsRepository(tx).save(key, secret ? vault.seal(value, secretContext(key, textOf)) : value)
        if (before === value) return
        await audit.record(tx, by, {
          action: 'option.update',
          target: `option:${key}`,
          before: { value: shown(before, secret) },
          after: { value: shown(value, secret) },
        })
      })
      await read()
    },
  }
}

/** A value that no longer parses, after an upgrade or a manual edit, is replaced by its default and reported. */
function parseAll(texts: Map<OptionKey, string>, report: (key: OptionKey, text: string) => void): OptionValues {
  const parsed = OPTION_KEYS.map((key) => {
    const text = texts.get(key) ?? OPTIONS[key].default
    const result = OPTIONS[key].schema.safeParse(text)
    if (result.success) return [key, result.data]
    report(key, text)
    return [key, OPTIONS[key].schema.parse(OPTIONS[key].default)]
  })
  // Each value comes from the schema under its own key.
  return Object.fromEntries(parsed) as OptionValues
}

/** A table without entries is stored as an empty object, which every reader can parse; a blank text is not. */
function asKept(key: OptionKey, value: string) {
  const { kind } = OPTIONS[key]
  return (kind === 'ratios' || kind === 'limits') && value.trim() === '' ? '{}' : value
}

/** A secret bound to an address that is no longer set reads as not set. */
function opened(vault: Vault, sealed: string, context: string) {
  try {
    return vault.open(sealed, context)
  } catch {
    return ''
  }
}

/** A secret appears in the audit log as a fingerprint, which shows that it changed but not its value. */
function shown(text: string, secret: boolean) {
  if (!secret) return text.length > 2000 ? `${text.slice(0, 2000)}…` : text
  return text === '' ? '' : `sha256:${lookupHash(text).slice(0, 8)}`
}
