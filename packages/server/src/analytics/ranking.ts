import type { AnalyticsQuery } from '@tollgate/contract'
import { OUTCOME_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { Ranking } from './cells.ts'
import { callsOf, failedOf, outcomesOf } from './metrics.ts'
import type { FigureColumn } from './sums-repository.ts'

const BASE: readonly FigureColumn[] = ['quota', 'request_count', 'failed_count']

const RANKINGS: Record<AnalyticsQuery['order'], Ranking> = {
  quota: { columns: BASE, value: (cell) => cell.of('quota') },
  calls: { columns: BASE, value: callsOf },
  failed: { columns: [...BASE, ...OUTCOME_COLUMNS], value: failedOf },
  tokens: {
    columns: [...BASE, 'prompt_tokens', 'completion_tokens'],
    value: (cell) => cell.of('prompt_tokens') + cell.of('completion_tokens'),
  },
}

/** Of calls with one outcome only the number is recorded. */
export const rankingOf = ({ order, outcome }: Pick<AnalyticsQuery, 'order' | 'outcome'>): Ranking =>
  outcome === undefined
    ? RANKINGS[order]
    : { columns: RANKINGS.failed.columns, value: (cell) => outcomesOf(cell)[outcome] }
