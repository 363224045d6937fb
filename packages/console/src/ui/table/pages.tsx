import { Pagination } from '@mantine/core'
import { PAGE_SIZE } from '@tollgate/contract'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import classes from './pages.module.css'

interface PagesProps {
  page: number
  total: number
  /** There are more than `total`. */
  more?: boolean | undefined
  onPage: (page: number) => void
}

/** `1–10 of 42  ‹ 1 2 3 ›`. */
export function Pages({ page, total, more, onPage }: PagesProps) {
  const text = useText(commonText)
  const count = Math.max(1, Math.ceil(total / PAGE_SIZE))
  if (count === 1) return null
  const from = Math.min(page * PAGE_SIZE + 1, total)
  const to = Math.min((page + 1) * PAGE_SIZE, total)
  return (
    <nav className={classes.pages} aria-label={text.pages}>
      <span className={classes.range}>{(more ? text.rangeOfMore : text.range)(from, to, total)}</span>
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
