import { CHANNEL_PAGE_MAX, PAGE_SIZE } from '@tollgate/contract'
import { useState } from 'react'
import { stored } from '../../../lib/storage.ts'

/** The columns that can be left out or added, in their order. The name and the status are always there. */
export const CHOICES = [
  'id',
  'group',
  'type',
  'tag',
  'models',
  'failures',
  'response',
  'balance',
  'usedQuota',
  'priority',
  'weight',
  'testModel',
] as const

export type Choice = (typeof CHOICES)[number]

const DEFAULTS: readonly Choice[] = ['id', 'group', 'type', 'response', 'balance', 'priority', 'weight', 'testModel']

export const PAGE_SIZES = [PAGE_SIZE, 20, 50, CHANNEL_PAGE_MAX] as const

/** What this browser was told to show; of what another version remembered, that which is known. */
export const readChoices = (remembered: unknown): ReadonlySet<Choice> =>
  new Set(Array.isArray(remembered) ? CHOICES.filter((choice) => remembered.includes(choice)) : DEFAULTS)

export const readPageSize = (remembered: string | null): number =>
  PAGE_SIZES.find((size) => String(size) === remembered) ?? PAGE_SIZE

/** Which columns and how many rows, as this browser remembers it. */
export function useChannelView() {
  const [choices, setChoices] = useState(() => readChoices(stored.readJson('channel_columns')))
  const [pageSize, setPageSize] = useState(() => readPageSize(stored.read('channel_page_size')))
  return {
    choices,
    toggle(choice: Choice) {
      const next = new Set(choices)
      if (!next.delete(choice)) next.add(choice)
      stored.write('channel_columns', JSON.stringify([...next]))
      setChoices(next)
    },
    pageSize,
    resize(rows: number) {
      stored.write('channel_page_size', String(rows))
      setPageSize(rows)
    },
  }
}
