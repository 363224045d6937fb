import { LogType } from '@tollgate/contract'
import type { Tx } from '../database/client.ts'
import { addedBy } from '../ledger/stores/usage-figures.ts'
import type { RefusedCount } from '../logs/refused-calls.ts'
import { addFigures } from './added-figures-repository.ts'

/** Calls that were refused before a channel was chosen, as many as share an entry: they failed, and had no channel. */
export const countRefused = (tx: Tx, refused: readonly RefusedCount[]) =>
  addFigures(
    tx,
    refused.map(({ count, ...call }) => {
      const log = { ...NOTHING, ...call }
      return { log, sums: addedBy({ log, as: 'failed' }).sums.map((sum) => sum * count) }
    }),
  )

const NOTHING = {
  ...{
    type: LogType.failed,
    channel: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    quota: 0,
    content: '',
    content_en: '',
  },
  ...{ request_id: '', elapsed_time: 0, first_byte_time: 0, is_stream: 0 as const, detail: '', session: null },
  ...{ cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
}
