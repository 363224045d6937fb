import { ChannelStatus, type channels, type Received } from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import { type Creation, newChannel } from './channel-creation.ts'
import { facts } from './channel-edit.ts'
import { cleanConfig } from './channel-fields.ts'
import { assembleKey, splitKeys } from './channel-keys.ts'
import { placeOfRow, readSecrets, sealSecrets } from './channel-secrets.ts'
import { channelsRepository, type StoredChannel } from './channels-repository.ts'
import { addToPool, fillPool, poolKeysOf } from './key-pool.ts'
import { foundChannel } from './stored-channel.ts'

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  audit: AuditService
}

/** New channels: from a form, or as a copy of another one. */
export const createChannelCreation = ({ db, clock, vault, audit }: Needs) => {
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
    /** All channels or none. */
    create: (by: By, fields: Creation) =>
      transact(db, async (tx) => {
        const config = cleanConfig(fields.config ?? '')
        const keys = splitKeys(fields.type, fields.key)
        const assembled = assembleKey(fields.type, '', config).key
        if (keys.length === 0 && assembled === '') throw new GatewayError('channel.key_required')
        if (fields.key_pool) return [await createPooled(tx, by, fields, keys)]
        const created: StoredChannel[] = []
        for (const key of keys.length === 0 ? [''] : keys) {
          created.push(await insert(tx, by, newChannel(fields, { key, config }, seconds(clock))))
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
        return fillPool(tx, vault, await insert(tx, by, { columns, secrets }), { keys, at: seconds(clock) })
      }),
  }
}
