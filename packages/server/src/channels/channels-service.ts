import {
  CHANNEL_SECRETS,
  type Channel,
  ChannelStatus,
  type channels,
  commaList,
  isSamePlace,
  keyPlace,
  type Received,
  type Text,
} from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import type { Prices } from '../catalog/prices.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import type { pageWindow } from '../database/page-window.ts'
import type { Vault } from '../security/vault.ts'
import { orphaned } from './bulk-change.ts'
import { type Creation, newChannel } from './channel-creation.ts'
import { type Edit, editedColumns, editedSecrets, facts } from './channel-edit.ts'
import { cleanBaseUrl, cleanConfig, cleanMapping, groupsOf, keyOrderOf, mappingOf } from './channel-fields.ts'
import { assembleKey, splitKeys } from './channel-keys.ts'
import { channelKeysRepository } from './channel-keys-repository.ts'
import { placeOfRow, readSecrets, sealSecrets } from './channel-secrets.ts'
import { channelsRepository, type StoredChannel, type Wanted } from './channels-repository.ts'
import { addToPool, fillPool, poolKeysOf } from './key-pool.ts'
import { createPoolReader } from './pool-reader.ts'
import { toRoutable } from './routable.ts'
import { foundChannel, lockedChannel } from './stored-channel.ts'

export type ChannelsService = ReturnType<typeof createChannelsService>

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  audit: AuditService
  prices: Prices
}

/** The maximum stored length of a vendor's message. */
const REASON_MAX = 500

export const createChannelsService = ({ db, clock, vault, audit, prices }: Needs) => {
  const readPools = createPoolReader({ db, vault })

  const wire = (row: StoredChannel): Channel => {
    const { config: secret } = readSecrets(vault, row)
    const empty = { region: '', ak: '', sk: '', user_id: '', vertex_ai_project_id: '', vertex_ai_adc: '' }
    return {
      ...row,
      key: '',
      key_order: keyOrderOf(row.key_order),
      test_error: row.test_error === '' ? null : { zh: row.test_error, en: row.test_error_en },
      config: JSON.stringify({ ...empty, ...JSON.parse(row.config) }),
      config_secrets: CHANNEL_SECRETS.filter((name) => secret[name] !== undefined),
      unpriced: prices.unpriced({
        type: row.type,
        models: commaList(row.models),
        mapping: mappingOf(row.model_mapping),
      }),
      model_list: null,
    }
  }

  const insert = async (tx: Tx, by: By, made: ReturnType<typeof newChannel>) => {
    const bare = await channelsRepository(tx).insert(made.columns)
    // The secrets are bound to the row's id, which is known only now.
    const row = await channelsRepository(tx).update(bare.id, sealSecrets(vault, placeOfRow(bare), made.secrets))
    await audit.record(tx, by, {
      action: 'channel.create',
      target: `channel:${row.id}`,
      after: facts(row, made.secrets),
    })
    return row
  }

  /** With one key it is a channel like any other. */
  const createPooled = async (tx: Tx, by: By, fields: Creation, keys: readonly string[]) => {
    const [first = '', ...typed] = keys
    const config = cleanConfig(fields.config ?? '')
    const row = await insert(tx, by, newChannel(fields, { key: first, config }, seconds(clock)))
    if (typed.length === 0) return row
    const { channel, added, skipped } = await addToPool(tx, vault, row, { typed, at: seconds(clock) })
    const after = { count: added.length, skipped }
    await audit.record(tx, by, { action: 'channel.keys_add', target: `channel:${row.id}`, after })
    return channel
  }

  return {
    async page(wanted: Wanted, window: ReturnType<typeof pageWindow>) {
      const { rows, total } = await channelsRepository(db).page(wanted, window)
      return { rows: rows.map(wire), total }
    },

    get: async (id: number) => wire(await foundChannel(db, id)),

    /** All channels or none. */
    create: (by: By, fields: Creation) =>
      transact(db, async (tx) => {
        const config = cleanConfig(fields.config ?? '')
        const keys = splitKeys(fields.type, fields.key)
        const assembled = assembleKey(fields.type, '', config).key
        if (keys.length === 0 && assembled === '') throw new GatewayError('channel.key_required')
        if (fields.key_pool) return [wire(await createPooled(tx, by, fields, keys))]
        const created: Channel[] = []
        for (const key of keys.length === 0 ? [''] : keys) {
          created.push(wire(await insert(tx, by, newChannel(fields, { key, config }, seconds(clock)))))
        }
        return created
      }),

    /** Disabled, because an unreviewed copy would get half of the calls at once; without usage, tests and balance. */
    copy: (by: By, { id, name }: Received<typeof channels.copy>['body']) =>
      transact(db, async (tx) => {
        const row = await foundChannel(tx, id)
        const { readable, ...secrets } = readSecrets(vault, row)
        if (!readable) throw new GatewayError('channel.copy_sealed', { name: row.name })
        const { type, tag, base_url, other, config, models, group } = row
        const { model_mapping, system_prompt, test_model, priority, weight, key_order } = row
        const columns = {
          ...{ type, name, tag, base_url, other, config, models, group },
          ...{ model_mapping, system_prompt, test_model, priority, weight, key_order },
          ...{ status: ChannelStatus.disabled, status_reason: '', created_time: seconds(clock) },
          ...{ key_sealed: '', secrets_sealed: '', key_hint: '' },
        }
        const keys = await poolKeysOf(tx, vault, row)
        return wire(await fillPool(tx, vault, await insert(tx, by, { columns, secrets }), { keys, at: seconds(clock) }))
      }),

    update: (by: By, edit: Edit) =>
      transact(db, async (tx) => {
        const before = await lockedChannel(tx, edit.id)
        const old = readSecrets(vault, before)
        const type = edit.type ?? before.type
        const base_url = edit.base_url == null ? before.base_url : cleanBaseUrl(edit.base_url)
        const { secrets, place } = editedSecrets(edit, { type, base_url }, before, old.readable ? old : undefined)
        const isPooled = before.key_count > 0
        // A key was entered for the new address; the keys of the pool were meant for the old one.
        const losesPool = isPooled && !(old.readable && isSamePlace(place, placeOfRow(before)))
        if (isPooled && !losesPool && secrets.key !== '') throw new GatewayError('channel.pool_key')
        if (losesPool) await channelKeysRepository(tx).removeAll(before.id)
        const row = await channelsRepository(tx).update(before.id, {
          ...{ type, base_url },
          ...editedColumns(edit, type, before),
          config: JSON.stringify(place.config),
          ...(losesPool && { key_count: 0 }),
          ...sealSecrets(vault, place, secrets),
        })
        await audit.record(tx, by, {
          action: 'channel.update',
          target: `channel:${row.id}`,
          before: facts(before, old),
          after: facts(row, secrets),
        })
        return wire(row)
      }),

    remove: (by: By, id: number) =>
      transact(db, async (tx) => {
        const before = await lockedChannel(tx, id)
        await channelsRepository(tx).remove(id)
        const secrets = readSecrets(vault, before)
        await audit.record(tx, by, {
          action: 'channel.remove',
          target: `channel:${id}`,
          before: facts(before, secrets),
        })
      }),

    removeDisabled: (by: By) =>
      transact(db, async (tx) => {
        const removed = await channelsRepository(tx).removeDisabled()
        for (const { id, name } of removed) {
          await audit.record(tx, by, { action: 'channel.remove', target: `channel:${id}`, before: { name } })
        }
        return removed.length
      }),

    /** True when it was enabled until now. A channel that a person disabled is left as it is. */
    async autoDisable(id: number, { zh, en }: Text) {
      const reason = { zh: zh.slice(0, REASON_MAX), en: en.slice(0, REASON_MAX) }
      return channelsRepository(db).moveStatus(id, ChannelStatus.enabled, ChannelStatus.autoDisabled, reason)
    },

    /** True when the product itself had disabled it. */
    autoEnable: (id: number) =>
      channelsRepository(db).moveStatus(id, ChannelStatus.autoDisabled, ChannelStatus.enabled, { zh: '', en: '' }),

    /** Without an error the test passed. */
    saveTest: (id: number, { at, ms, error = { zh: '', en: '' } }: { at: number; ms: number; error?: Text }) =>
      channelsRepository(db).note(id, {
        test_time: at,
        response_time: ms,
        test_error: error.zh,
        test_error_en: error.en,
      }),

    saveBalance: (id: number, columns: { balance: number; balance_updated_time: number }) =>
      channelsRepository(db).note(id, columns),

    findUnpriced: ({ type, models, model_mapping }: Received<typeof channels.findUnpriced>['body']) =>
      prices.unpriced({ type, models, mapping: mappingOf(cleanMapping(model_mapping)) }),

    /** All channels, with the columns that describe their state. */
    async states() {
      // Of many channels, most offer the same as others.
      const known = new Map<string, string[]>()
      const unpricedOf = ({
        type,
        models,
        model_mapping,
      }: Pick<StoredChannel, 'type' | 'models' | 'model_mapping'>) => {
        const offer = JSON.stringify([type, models, model_mapping])
        const unpriced =
          known.get(offer) ?? prices.unpriced({ type, models: commaList(models), mapping: mappingOf(model_mapping) })
        known.set(offer, unpriced)
        return unpriced
      }
      const rows = await channelsRepository(db).states()
      return rows.map(({ models, model_mapping, ...row }) => ({
        ...row,
        unpriced: unpricedOf({ type: row.type, models, model_mapping }),
      }))
    },

    /** What channels offer, by which names, and where their vendors are: all of them, or some. */
    async offers(view: Db, ids?: readonly number[]) {
      const rows = await channelsRepository(view).offers(ids)
      return rows.map(({ id, name, type, status, models, model_mapping, base_url, config }) => ({
        ...{ id, name, type, status },
        models: commaList(models),
        mapping: mappingOf(model_mapping),
        place: JSON.stringify(keyPlace({ type, base_url, config: JSON.parse(config) })),
      }))
    },

    /** Models of a group that no enabled channel would offer any more if this one were changed so. */
    async orphanedBy(id: number, { status, group, models }: Pick<Edit, 'status' | 'group' | 'models'>) {
      const before = await foundChannel(db, id)
      const { status: was, group: groups, models: offered } = before
      const after = { ...before, status: status ?? was, group: group ?? groups, models: models ?? offered }
      return orphaned([{ before, after }], await channelsRepository(db).enabledOffers())
    },

    tags: () => channelsRepository(db).tags(),

    /** Changes whenever routing has to reload. */
    version: () => channelsRepository(db).version(),

    async routable() {
      const rows = await channelsRepository(db).all()
      const pools = await readPools(rows)
      return rows.map((row) => toRoutable(vault, row, pools.get(row.id)))
    },

    /** The models that enabled channels offer to any of the groups. */
    async modelsFor(groupText: string) {
      const groups = groupsOf(groupText)
      const offers = await channelsRepository(db).enabledOffers()
      const offered = offers.filter(({ group }) => groupsOf(group).some((name) => groups.includes(name)))
      return [...new Set(offered.flatMap(({ models }) => commaList(models)))].sort()
    },
  }
}
