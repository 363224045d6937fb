import { SQL } from 'bun'
import type { Engine } from './client.ts'

/** What other nodes may have changed of that which this one keeps in memory. */
export type Changed = 'options' | 'channels' | 'keys'

export const CHANGES: readonly Changed[] = ['options', 'channels', 'keys']

/**
 * Tells what was changed on the database, by whichever node, as soon as it is committed. After a lost connection
 * everything may have changed. The embedded database tells nobody; there the look every second has to do, which is also
 * the net under this.
 */
export const listenForChanges = async (engine: Engine, location: string, onChange: (changed: Changed) => void) => {
  if (engine !== 'postgres') return { close: async () => {} }
  const sql = new SQL(location, { max: 1 })
  await sql.listen(
    'tollgate_changed',
    (payload) => CHANGES.filter((name) => name === payload).forEach(onChange),
    () => CHANGES.forEach(onChange),
  )
  return { close: () => sql.close({ timeout: 0 }) }
}
