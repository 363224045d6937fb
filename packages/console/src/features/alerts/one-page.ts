import { PAGE_SIZE } from '@tollgate/contract'
import type { ListState } from '../../ui/table/data-table-props.ts'

/** The part of a query for a short list that a table shows. */
interface Whole<Row> extends Omit<ListState<Row>, 'data'> {
  data: Row[] | undefined
}

/** Pages a list that the server returns as a whole. */
export const onePage = <Row>(list: Whole<Row>, page: number): ListState<Row> => ({
  ...list,
  data: list.data && {
    rows: list.data.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
    total: list.data.length,
  },
})
