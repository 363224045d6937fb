import { LOG_PAGE_MAX, PAGE_SIZE } from '@tollgate/contract'
import { useState } from 'react'
import { stored } from '../../lib/storage.ts'

/** The columns that can be left out or added, in their order. When a call was, its model and its type are always there. */
export const CHOICES = [
  'channel',
  'user',
  'token',
  'outcome',
  'stream',
  'prompt',
  'completion',
  'elapsed',
  'firstByte',
  'retries',
  'quota',
  'requestId',
  'detail',
  'wholeDetail',
] as const

export type Choice = (typeof CHOICES)[number]

const DEFAULTS: readonly Choice[] = ['channel', 'user', 'token', 'prompt', 'completion', 'quota', 'detail']

export const PAGE_SIZES = [PAGE_SIZE, 20, 50, LOG_PAGE_MAX] as const

/** What this browser was told to show; of what another version remembered, that which is known. */
export const readChoices = (remembered: unknown): ReadonlySet<Choice> =>
  new Set(Array.isArray(remembered) ? CHOICES.filter((choice) => remembered.includes(choice)) : DEFAULTS)

export const readPageSize = (remembered: string | null): number =>
  PAGE_SIZES.find((size) => String(size) === remembered) ?? PAGE_SIZE

/** Which columns and how many rows, as this browser remembers it. */
export function useLogView() {
  const [choices, setChoices] = useState(() => readChoices(stored.readJson('log_columns')))
  const [pageSize, setPageSize] = useState(() => readPageSize(stored.read('log_page_size')))
  return {
    choices,
    toggle(choice: Choice) {
      const next = new Set(choices)
      if (!next.delete(choice)) next.add(choice)
      stored.write('log_columns', JSON.stringify([...next]))
      setChoices(next)
    },
    pageSize,
    resize(rows: number) {
      stored.write('log_page_size', String(rows))
      setPageSize(rows)
    },
  }
}
