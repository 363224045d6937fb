import { z } from 'zod'
import type { Found } from './comparison.ts'
import type { StoredList } from './model-lists-repository.ts'

const Names = z.array(z.string())

/** The stored state of a row. Without its list column, that is empty. */
export const foundIn = (row: Pick<StoredList, 'added' | 'missing' | 'kept'> & { listed?: string }): Found => ({
  listed: names(row.listed ?? '[]'),
  added: names(row.added),
  missing: names(row.missing),
  kept: names(row.kept),
})

const names = (text: string) => Names.parse(JSON.parse(text))
