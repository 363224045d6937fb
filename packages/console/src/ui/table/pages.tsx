import { NativeSelect, Pagination } from '@mantine/core'
import { PAGE_SIZE } from '@tollgate/contract'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import classes from './pages.module.css'

/** The page size, if it can be chosen. */
export interface PageSize {
  value: number
  choices: readonly number[]
  onChange: (rows: number) => void
}

interface PagesProps {
  page: number
  total: number
  /** There are more than `total`. */
  more?: boolean | undefined
  /** The rows fill this page: when the total is unknown, there may be a next one. */
  full: boolean
  size?: PageSize | undefined
  onPage: (page: number) => void
}

/** `1–10 of 42  ‹ 1 2 3 ›`. */
export function Pages({ page, total, more = false, full, size, onPage }: PagesProps) {
  const text = useText(commonText)
  const rows = size?.value ?? PAGE_SIZE
  const counted = Math.max(1, Math.ceil(total / rows))
  const count = more ? Math.max(counted, page + (full ? 2 : 1)) : counted
  if (count === 1 && (size === undefined || total <= PAGE_SIZE)) return null
  const last = more ? Number.POSITIVE_INFINITY : total
  const from = Math.min(page * rows + 1, last)
  const to = Math.min((page + 1) * rows, last)
  return (
    <nav className={classes.pages} aria-label={text.pages}>
      <span className={classes.range}>{(more ? text.rangeOfMore : text.range)(from, to, total)}</span>
      {size && (
        <NativeSelect
          size="xs"
          aria-label={text.rowsPerPage}
          value={String(rows)}
          data={size.choices.map((choice) => ({ value: String(choice), label: text.rowsOnPage(choice) }))}
          onChange={({ currentTarget }) => size.onChange(Number(currentTarget.value))}
        />
      )}
      <Pagination
        size="sm"
        value={page + 1}
        total={count}
        siblings={1}
        onChange={(next) => onPage(next - 1)}
        getItemProps={(item) => ({ 'aria-label': text.pageNumber(item) })}
        getControlProps={(control) => ({
          'aria-label': control === 'previous' ? text.previousPage : text.nextPage,
        })}
      />
    </nav>
  )
}
