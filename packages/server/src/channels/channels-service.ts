import { ChannelStatus, type channels, isSamePlace, type Received, type Text } from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import type { Prices } from '../catalog/prices.ts'
import type { Clock } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { refuseStale } from '../common/refuse-stale.ts'
import { type Db, transact } from '../database/client.ts'
import type { pageWindow } from '../database/page-window.ts'
import type { Vault } from '../security/vault.ts'
import type { Creation } from './channel-creation.ts'
import { type Edit, editedColumns, editedSecrets, facts } from './channel-edit.ts'
import { cleanBaseUrl } from './channel-fields.ts'
import { channelKeysRepository } from './channel-keys-repository.ts'
import { createChannelOffers } from './channel-offers.ts'
import { placeOfRow, readSecrets, sealSecrets } from './channel-secrets.ts'
import { channelsRepository, type StoredChannel, type Wanted } from './channels-repository.ts'
import { createChannelCreation } from './create-channels.ts'
import { createPoolReader } from './pool-reader.ts'
import { toRoutable } from './routable.ts'
import { shownChannel } from './shown-channel.ts'
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

  const shown = (row: StoredChannel) => shownChannel(row, { vault, prices })
  const creation = createChannelCreation({ db, clock, vault, audit })

  return {
    ...createChannelOffers({ db, prices }),

    async page(wanted: Wanted, window: ReturnType<typeof pageWindow>) {
      const { rows, total } = await channelsRepository(db).page(wanted, window)
      return { rows: rows.map(shown), total }
    },

    get: async (id: number) => shown(await foundChannel(db, id)),

    create: async (by: By, fields: Creation) => (await creation.create(by, fields)).map(shown),

    copy: async (by: By, body: Received<typeof channels.copy>['body']) => shown(await creation.copy(by, body)),

    update: (by: By, edit: Edit) =>
      transact(db, async (tx) => {
        const before = await lockedChannel(tx, edit.id)
        refuseStale({ base: edit.base, edit, now: shown(before), path: '/api/channel/' })
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
        return shown(row)
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

    /** A missing key is encrypted like any other, so that only decrypting tells. */
    async withoutKey() {
      const rows = await channelsRepository(db).all()
      const isWithout = (row: StoredChannel) => row.key_count === 0 && readSecrets(vault, row).key === ''
      return rows.filter(isWithout).map(({ id }) => id)
    },

    tags: () => channelsRepository(db).tags(),

    offeredModels: () => channelsRepository(db).offeredModels(),

    /** Changes whenever routing has to reload. */
    version: () => channelsRepository(db).version(),

    async routable() {
      const rows = await channelsRepository(db).all()
      const pools = await readPools(rows)
      return rows.map((row) => toRoutable(vault, row, pools.get(row.id)))
    },
  }
}
