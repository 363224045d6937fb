import { PAGE_SIZE, SEARCH_MAX } from '@tollgate/contract'

/** Which rows of a list are meant: one page of it, or all that are found where no page is asked for. */
export const pageWindow = (page: number | undefined, size = PAGE_SIZE) =>
  page === undefined ? { limit: SEARCH_MAX, offset: 0 } : { limit: size, offset: page * size }
