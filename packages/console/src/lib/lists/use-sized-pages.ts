import { CHANNEL_PAGE_MAX } from '@tollgate/contract'
import { useState } from 'react'

const SIZES = [20, 50, CHANNEL_PAGE_MAX] as const

/** The pages of a list whose length can be chosen, for its query and its table. Another length starts at the first page. */
export function useSizedPages(page: number, toPage: (page: number) => void) {
  const [pageSize, setPageSize] = useState<number>(SIZES[0])
  const resize = (size: number) => {
    setPageSize(size)
    toPage(0)
  }
  return {
    page,
    pageSize,
    table: { page, onPage: toPage, size: { value: pageSize, choices: SIZES, onChange: resize } },
  }
}
