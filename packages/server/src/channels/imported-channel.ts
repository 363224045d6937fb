import { ChannelStatus } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import type { Db, Tx } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import { placeOfRow, sealSecrets } from './channel-secrets.ts'
import { channelsRepository } from './channels-repository.ts'
import { fillPool } from './key-pool.ts'
import { type Plan, planImport } from './plan-import.ts'

/** The members of a channel's file, with its keys in `key`. */
export type ImportedChannel = Record<string, unknown> & { name: string; type: number; status: number }

/** Channels of another gateway, checked like those of a file. */
export const createChannelImport = async (db: Db, vault: Vault, clock: Clock) => {
  const known = await channelsRepository(db).all()
  const byName = new Map(known.map((row) => [nameKey(row), row.id]))
  return {
    ids: known.map(({ id }) => id),
    existing: (channel: ImportedChannel) => byName.get(nameKey(channel)),

    /** Returns why a channel cannot exist here, in English; it is not created then. */
    async create(tx: Tx, id: number, channel: ImportedChannel) {
      const now = seconds(clock)
      const [plan] = planImport([{ row: 1, value: channel }], {
        ...{ alike: () => [], secretsOf: () => undefined, sealer: undefined, now },
      })
      if (plan?.action !== 'create') return { reason: reasonOf(plan) }
      const { columns, secrets, keys, withoutKey } = plan
      const repository = channelsRepository(tx)
      // Disabled by the other gateway, which ours may enable again.
      const status = channel.status === ChannelStatus.autoDisabled && !withoutKey ? channel.status : columns.status
      const row = await repository.insert({ ...columns, id, status })
      await repository.update(id, sealSecrets(vault, placeOfRow(row), secrets))
      await fillPool(tx, vault, row, { keys, at: now })
      return { reason: undefined, withoutKey }
    },
  }
}

const nameKey = ({ name, type }: { name: string; type: number }) => `${type} ${name}`

function reasonOf(plan: Plan | undefined) {
  return plan?.action === 'refuse' ? plan.error.in('en') : 'it cannot be read'
}
