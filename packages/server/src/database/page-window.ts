import { PAGE_SIZE, SEARCH_MAX } from '@tollgate/contract'

/** The rows of one page, or all matches when no page is requested. */
export const pageWindow = (page: number | undefined, size = PAGE_SIZE) =>
  page === undefined ? { limit: SEARCH_MAX, offset: 0 } : { limit: size, offset: page * size }
