import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { Finding } from './report.ts'

const I15 = {
  invariant: 'I15',
  says: 'a channel has as many keys as it says, and they have not spent more than it has',
}

/** Removed keys take their spending with them, and calls that were open when the pool was created count for no key. */
export const auditChannelKeys = async (view: Db): Promise<Finding[]> => {
  const { rows } = await sql<Sums>`SELECT channels.id AS id, key_count, count(channel_keys.id) AS keys,
    CAST(channels.used_quota AS text) AS channel_used, CAST(coalesce(sum(channel_keys.used_quota), 0) AS text) AS keys_used
    FROM channels LEFT JOIN channel_keys ON channel_keys.channel_id = channels.id
    WHERE key_count > 0 OR channel_keys.id IS NOT NULL
    GROUP BY channels.id, key_count, channels.used_quota`.execute(view)
  return rows.flatMap(({ id, key_count, keys, channel_used, keys_used }): Finding[] => {
    const subject = `channel ${id}`
    if (Number(keys) !== Number(key_count)) {
      return [{ ...I15, subject, found: String(key_count), expected: String(keys) }]
    }
    return BigInt(keys_used) <= BigInt(channel_used)
      ? []
      : [{ ...I15, subject, found: keys_used, expected: `<= ${channel_used}` }]
  })
}

interface Sums {
  id: number
  key_count: number
  keys: number
  channel_used: string
  keys_used: string
}
