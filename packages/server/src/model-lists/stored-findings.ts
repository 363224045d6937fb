import { z } from 'zod'
import type { ListFindings } from './comparison.ts'
import type { StoredList } from './model-lists-repository.ts'

const Names = z.array(z.string())

/** The stored state of a row. Without its list column, that is empty. */
export const findingsIn = (
  row: Pick<StoredList, 'added' | 'missing' | 'kept'> & { listed?: string },
): ListFindings => ({
  listed: names(row.listed ?? '[]'),
  added: names(row.added),
  missing: names(row.missing),
  kept: names(row.kept),
})

const names = (text: string) => Names.parse(JSON.parse(text))
