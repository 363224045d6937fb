import { createChannelImport } from '../channels/imported-channel.ts'
import type { Tx } from '../database/client.ts'
import { createFreeIds } from './free-ids.ts'
import type { ImportNeeds, ImportPart } from './import-needs.ts'
import { channelOf } from './source-channel.ts'
import { SourceChannel } from './source-rows.ts'

export async function importChannels({ vault, clock }: ImportNeeds, tx: Tx, { source, ids, report }: ImportPart) {
  const rows = (await source.all('channels')).map((row) => SourceChannel.parse(row))
  const channels = await createChannelImport(tx, vault, clock)
  const freeId = createFreeIds(
    channels.ids,
    rows.map(({ id }) => id),
  )
  for (const row of rows) {
    const found = channelOf(source.kind, row)
    if ('missing' in found) {
      report.note(`a channel of type ${found.missing}, which does not exist here`, row.name)
      continue
    }
    const { channel, lost } = found
    const existing = channels.existing(channel)
    if (existing !== undefined) {
      ids.channels.set(row.id, existing)
      report.kept('channels')
      continue
    }
    const id = freeId(row.id)
    const { reason, withoutKey } = await channels.create(tx, id, channel)
    if (reason !== undefined) {
      report.note(`a channel cannot exist here: ${reason}`, row.name)
      continue
    }
    ids.channels.set(row.id, id)
    report.created('channels')
    if (withoutKey) report.note('a channel has no key, and is disabled', row.name)
    for (const what of lost) report.note(`a channel loses ${what}`, row.name)
  }
}
