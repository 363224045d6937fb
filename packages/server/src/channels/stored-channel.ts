import { GatewayError } from '../common/errors.ts'
import type { Db, Tx } from '../database/client.ts'
import { channelsRepository } from './channels-repository.ts'

export async function foundChannel(db: Db, id: number) {
  const row = await channelsRepository(db).find(id)
  if (row === undefined) throw new GatewayError('channel.not_found')
  return row
}

/**
 * Before a change, so that two edits at the same moment do not write each other's old values back. The row is also the lock of the
 * channel's keys, and signals their change to every node.
 */
export async function lockedChannel(tx: Tx, id: number) {
  const row = await channelsRepository(tx).lock(id)
  if (row === undefined) throw new GatewayError('channel.not_found')
  return row
}
