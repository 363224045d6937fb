import { LIST_PAGE_MAX, PAGE_SIZE } from '@tollgate/contract'
import { useState } from 'react'
import { stored } from '../browser/storage.ts'

const CHOICES = [PAGE_SIZE, 20, 50, LIST_PAGE_MAX] as const

/** Rows per page of the lists of users, tokens, codes, models and the audit log, remembered in this browser. */
export function useRowsPerPage(toFirstPage: () => void) {
  const [value, setValue] = useState(() => readRows(stored.read('list_page_size')))
  return {
    value,
    choices: CHOICES,
    onChange(rows: number) {
      stored.write('list_page_size', String(rows))
      setValue(rows)
      toFirstPage()
    },
  }
}

const readRows = (remembered: string | null): number => CHOICES.find((rows) => String(rows) === remembered) ?? PAGE_SIZE

/** What a query says of the rows per page: nothing while it is the default. */
export const sizeQuery = (rows: number) => (rows === PAGE_SIZE ? {} : { page_size: rows })
