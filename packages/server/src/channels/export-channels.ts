import { type channels, isRoot, type Received, TRANSFER_LENGTH_MAX, TRANSFER_MAX } from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import { refuseAccessToken } from '../users/ranks.ts'
import { csvFile, type Exported, exported, jsonFile, secretsContext } from './channel-file.ts'
import type { ChannelFinder } from './channel-finder.ts'
import { readSecrets } from './channel-secrets.ts'
import { channelsRepository, type StoredChannel } from './channels-repository.ts'
import { newSealing, type Sealer } from './file-passphrase.ts'
import { poolKeysOf } from './key-pool.ts'

export type ExportChannels = ReturnType<typeof createExport>

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  audit: AuditService
  finder: Pick<ChannelFinder, 'wanted'>
}

type Body = Received<typeof channels.exportFile>['body']

/** Exports channels to a file. Secrets leave the server only encrypted with a passphrase, and the audit log records who exported them. */
export const createExport = ({ db, clock, vault, audit, finder }: Needs) => {
  const rowsOf = async ({ ids, filter }: Body) => {
    if (ids !== undefined && filter !== undefined) throw new GatewayError('channel.bulk_which')
    const wanted = ids ?? (await channelsRepository(db).ids(await finder.wanted(filter ?? EVERY), TRANSFER_MAX + 1))
    if (new Set(wanted).size > TRANSFER_MAX) throw new GatewayError('channel.export_too_many', { max: TRANSFER_MAX })
    const rows = await channelsRepository(db).some(wanted)
    if (rows.length === 0) throw new GatewayError('channel.bulk_none')
    return rows.reverse()
  }

  const sealed = async (row: StoredChannel, sealer: Sealer): Promise<Exported> => {
    const { readable, ...secrets } = readSecrets(vault, row)
    if (!readable) throw new GatewayError('channel.copy_sealed', { name: row.name })
    const channel = exported(row)
    const keys = await poolKeysOf(db, vault, row)
    return { ...channel, secrets: sealer.seal(JSON.stringify({ ...secrets, keys }), secretsContext(channel)) }
  }

  const withSecrets = async (by: By, rows: readonly StoredChannel[], passphrase: string) => {
    const { sealing, sealer } = await newSealing(passphrase)
    const channels = await Promise.all(rows.map((row) => sealed(row, sealer)))
    const content = importable(jsonFile(channels, seconds(clock), sealing))
    await transact(db, (tx) =>
      audit.record(tx, by, {
        action: 'channel.export',
        target: 'channels',
        after: { secrets: true, count: rows.length, ids: rows.map(({ id }) => id) },
      }),
    )
    return content
  }

  const contentOf = (by: By, rows: readonly StoredChannel[], { format, passphrase }: Body) => {
    if (passphrase !== undefined) return withSecrets(by, rows, passphrase)
    const channels = rows.map(exported)
    return importable(format === 'csv' ? csvFile(channels) : jsonFile(channels, seconds(clock), undefined))
  }

  return async (by: By, body: Body) => {
    if (body.passphrase !== undefined) {
      if (!isRoot(by.actor.role)) throw new GatewayError('channel.export_root_only')
      refuseAccessToken(by.actor)
      if (body.format === 'csv') throw new GatewayError('channel.export_csv_secrets')
    }
    const rows = await rowsOf(body)
    const content = await contentOf(by, rows, body)
    return { name: `channels.${body.format}`, content, count: rows.length }
  }
}

/** A file that is too long for an import is refused now: later its channels may be gone. */
function importable(content: string) {
  if (content.length <= TRANSFER_LENGTH_MAX) return content
  throw new GatewayError('channel.export_too_long', { max: TRANSFER_LENGTH_MAX / 1_000_000 })
}

const EVERY = {
  ...{ keyword: '', status: 0, type: 0, group: '', model: '', tag: '', failing: 0 },
  test_failed: '',
  unpriced: '',
  without_key: '',
} as const
