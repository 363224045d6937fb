import { CHANNEL_KEYS_MAX, type ChannelConfig, ChannelStatus, isSamePlace } from '@tollgate/contract'
import { providerOf } from '@tollgate/providers'
import type { KeySecrets } from '../catalog/routable-channel.ts'
import { GatewayError, type Language } from '../common/errors.ts'
import { isTooDeep } from '../common/too-deep.ts'
import { validated } from '../common/validation.ts'
import { newChannel } from './channel-creation.ts'
import { type Edit, editedColumns, editedSecrets } from './channel-edit.ts'
import { cleanBaseUrl, cleanConfig } from './channel-fields.ts'
import { FileChannel, type RawRow, secretsContext } from './channel-file.ts'
import { splitKeys } from './channel-keys.ts'
import { type ChannelSecrets, joinConfig, type Place, placeOfRow } from './channel-secrets.ts'
import type { StoredChannel } from './channels-repository.ts'
import type { Sealer } from './file-passphrase.ts'
import { divideSecrets, typedPoolKey } from './pool-secrets.ts'

type Columns = Omit<
  ReturnType<typeof newChannel>['columns'],
  'created_time' | 'key_sealed' | 'secrets_sealed' | 'key_hint'
>

/** A channel to create. */
interface Created {
  action: 'create'
  columns: ReturnType<typeof newChannel>['columns']
  secrets: ChannelSecrets
  /** The keys of its pool; none when it has a single key. */
  keys: readonly KeySecrets[]
  withoutKey: boolean
  lostHeaders: string[]
}

/** An existing channel after the change. */
interface Changed {
  action: 'change' | 'keep'
  before: StoredChannel
  old: ChannelSecrets
  columns: Partial<Columns>
  secrets: ChannelSecrets
  place: Place
  fields: string[]
  withoutKey: boolean
}

export type Plan = { row: number; name: string } & (Created | Changed | { action: 'refuse'; error: GatewayError })

interface Known {
  /** All channels of this name and type. */
  alike(name: string, type: number): StoredChannel[]
  /** Its stored secrets; undefined when they cannot be decrypted. */
  secretsOf(row: StoredChannel): ChannelSecrets | undefined
  sealer: Sealer | undefined
  now: number
}

/** The outcome of each row. An invalid row reports why and does not block the others. */
export const planImport = (rows: readonly RawRow[], known: Known): Plan[] => {
  const read = rows.map(({ row, value }) => ({ row, value, channel: orError(() => readRow(value)) }))
  const named = Map.groupBy(read, ({ channel }) => (channel instanceof GatewayError ? '' : nameKey(channel)))
  return read.map(({ row, value, channel }) => {
    if (channel instanceof GatewayError) return { row, name: nameIn(value), action: 'refuse', error: channel }
    const twins = named.get(nameKey(channel))?.length ?? 1
    const plan = orError(() => planned(channel, twins, known))
    if (plan instanceof GatewayError) return { row, name: channel.name, action: 'refuse', error: plan }
    return { row, name: channel.name, ...plan }
  })
}

/** The channels that a file may be about, without reading the rest of it. */
export const namesIn = (rows: readonly RawRow[]): ReadonlySet<string> =>
  new Set(rows.map(({ value }) => nameIn(value).trim()))

function planned(channel: FileChannel, twins: number, known: Known): Created | Changed {
  const secrets = givenSecrets(channel, known.sealer)
  const alike = known.alike(channel.name, channel.type)
  if (alike.length === 0) return created(channel, secrets, known.now)
  const before = alike.length === 1 && twins === 1 ? alike[0] : alike.find(({ id }) => id === channel.id)
  if (before === undefined) throw new GatewayError('channel.file_ambiguous')
  return changed(channel, before, secrets, known.secretsOf(before))
}

function created(channel: FileChannel, secrets: FileSecrets | undefined, now: number): Created {
  const { status } = channel
  const fields = { ...channel, models: channel.models ?? '' }
  const { config, lost } = withoutLost(joinConfig(configOf(channel.config), secrets?.config ?? {}))
  const [key = '', ...others] = splitKeys(channel.type, secrets?.key ?? '')
  const made = newChannel(fields, { key, config, mayLackKey: true }, now)
  const pool = others.length === 0 ? undefined : typedPool(made, others)
  const keys = pool?.keys ?? secrets?.keys ?? []
  const withoutKey = made.secrets.key === '' && keys.length === 0
  const enabled = !withoutKey && (status ?? ChannelStatus.enabled) === ChannelStatus.enabled
  const columns = { ...made.columns, status: enabled ? ChannelStatus.enabled : ChannelStatus.disabled }
  return { action: 'create', columns, secrets: pool?.secrets ?? made.secrets, keys, withoutKey, lostHeaders: lost }
}

/** Several keys of a row are the pool of its channel; the same key twice is one. */
function typedPool({ columns, secrets }: ReturnType<typeof newChannel>, others: readonly string[]) {
  if (providerOf(columns.type)?.forward !== undefined) throw new GatewayError('channel.no_pool')
  const { ofKey: first, ofChannel } = divideSecrets(secrets)
  const place = placeOfRow({ ...columns, id: 0 })
  const keys = new Map([first, ...others.map((text) => typedPoolKey(place, text))].map((one) => [one.key, one]))
  if (keys.size > CHANNEL_KEYS_MAX) throw new GatewayError('channel.too_many_keys', { max: CHANNEL_KEYS_MAX })
  return keys.size === 1 ? undefined : { secrets: ofChannel, keys: [...keys.values()] }
}

/** Header values are secrets. A header without a value in the file is dropped, and reported. */
function withoutLost(config: ChannelConfig) {
  const { header_rules = [], ...rest } = config
  const isLost = ({ action, value = '' }: (typeof header_rules)[number]) => action !== 'remove' && value === ''
  return {
    config: { ...rest, header_rules: header_rules.filter((rule) => !isLost(rule)) },
    lost: header_rules.filter(isLost).map(({ name }) => name),
  }
}

function changed(
  channel: FileChannel,
  before: StoredChannel,
  given: ChannelSecrets | undefined,
  old: ChannelSecrets | undefined,
): Changed {
  const { id: _id, secrets: _secrets, key: typed = '', status, config, ...fields } = channel
  if (splitKeys(channel.type, typed).length > 1) throw new GatewayError('channel.file_keys')
  const sent: ChannelConfig | undefined =
    config === undefined && channel.secrets === undefined
      ? undefined
      : // What the file does not name is not there, also the proxy, which an edit would keep.
        { proxy: '', ...joinConfig(configOf(config ?? JSON.parse(before.config)), given?.config ?? {}) }
  const edit: Edit = {
    ...fields,
    id: before.id,
    key: given?.key ?? '',
    ...(sent !== undefined && { config: JSON.stringify(sent) }),
    ...(status !== undefined && status !== ChannelStatus.autoDisabled && { status }),
    // It was disabled only for the want of a key.
    ...(status === undefined && lacksKey(before, old) && given?.key && { status: ChannelStatus.enabled }),
  }
  const type = channel.type
  const base_url = edit.base_url == null ? before.base_url : cleanBaseUrl(edit.base_url)
  const { secrets, place } = editedSecrets(edit, { type, base_url }, before, old)
  const isElsewhere = secrets.key !== '' || !isSamePlace(place, placeOfRow(before))
  if (before.key_count > 0 && isElsewhere) throw new GatewayError('channel.file_pool')
  const columns = { base_url, ...editedColumns(edit, type, before), config: JSON.stringify(place.config) }
  const different = Object.entries(columns).filter(([name, value]) => !isSame(name, before, value))
  const isNewSecret = old === undefined || sorted(secrets) !== sorted(old)
  const names = [...different.map(([name]) => name), ...(isNewSecret ? ['key'] : [])]
  return {
    action: names.length === 0 ? 'keep' : 'change',
    ...{ before, old: old ?? NOTHING, columns, secrets, place, fields: names },
    withoutKey: lacksKey(before, secrets),
  }
}

const lacksKey = ({ key_count }: StoredChannel, secrets: ChannelSecrets | undefined) =>
  key_count === 0 && secrets?.key === ''

const NOTHING: ChannelSecrets = { key: '', config: {} }

function isSame(name: string, before: StoredChannel, value: unknown) {
  const stored = Object.entries(before).find(([column]) => column === name)?.[1]
  return name === 'config' ? sorted(JSON.parse(String(stored))) === sorted(JSON.parse(String(value))) : stored === value
}

/** The same members give the same text, in whatever order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )

interface FileSecrets extends ChannelSecrets {
  keys: KeySecrets[]
}

/** A key entered by hand takes the place of the encrypted ones. */
function givenSecrets(channel: FileChannel, sealer: Sealer | undefined): FileSecrets | undefined {
  const opened = openedSecrets(channel, sealer)
  const key = channel.key?.trim() ?? ''
  return key === '' ? opened : { config: {}, ...opened, key, keys: [] }
}

function openedSecrets(channel: FileChannel, sealer: Sealer | undefined): FileSecrets | undefined {
  if (channel.secrets === undefined || sealer === undefined) return undefined
  const text = sealer.open(channel.secrets, secretsContext(channel))
  if (text === undefined) throw new GatewayError('channel.file_moved')
  const { key, config, keys } = JSON.parse(text)
  return { key, config, keys: keys ?? [] }
}

const configOf = (config: Record<string, unknown> | undefined) =>
  cleanConfig(config === undefined ? '' : JSON.stringify(config))

function readRow(value: unknown): FileChannel {
  if (value instanceof GatewayError) throw value
  if (isTooDeep(value)) throw new GatewayError('input.refused', { reason: TOO_DEEP })
  if (!isStorable(value)) throw new GatewayError('input.unstorable')
  const read = (language: Language) => orError(() => validated(FileChannel, value, { language, path: '/api/channel/' }))
  const channel = read('en')
  if (!(channel instanceof GatewayError)) return channel
  // Validation messages come in one language, but the reader of the preview may switch.
  const zh = read('zh')
  const reason = { zh: zh instanceof GatewayError ? zh.in('zh') : '', en: channel.in('en') }
  throw new GatewayError('input.refused', { reason })
}

const TOO_DEEP = { zh: '嵌套层级过多', en: 'There are too many levels' }

/** As for request bodies: PostgreSQL accepts no NUL, and a lone surrogate has no UTF-8 encoding. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => isStorable(name) && isStorable(member))
}

const nameKey = ({ name, type }: FileChannel) => `${type} ${name}`

function nameIn(value: unknown) {
  if (typeof value !== 'object' || value === null || value instanceof GatewayError) return ''
  const name = 'name' in value ? value.name : ''
  return typeof name === 'string' ? name.slice(0, 100) : ''
}

function orError<Value>(run: () => Value): Value | GatewayError {
  try {
    return run()
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}
