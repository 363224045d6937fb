import { PAGE_SIZE, SEARCH_MAX } from '@tollgate/contract'

/** The rows of one page, or all matches when no page is requested. */
export const pageWindow = (page: number | undefined, size = PAGE_SIZE) =>
  page === undefined ? { limit: SEARCH_MAX, offset: 0 } : { limit: size, offset: page * size }

/** A page as a query names it; rows per page may be chosen where `page_size` is offered. */
export interface AskedPage {
  p?: number | undefined
  page_size?: number | undefined
}

export type PageWindow = ReturnType<typeof pageWindow>
