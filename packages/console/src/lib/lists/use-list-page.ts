import { type ListSearch, pageIndex, pageParam } from './list-search.ts'
import { useRowsPerPage } from './rows-per-page.ts'

/** The list position in the URL, and setters for page, search text and order. */
export interface ListPage<Order extends string = string> {
  page: number
  filter: { keyword: string; order: Order | '' }
  toPage(page: number): void
  search(keyword: string): void
  sort(order: Order | ''): void
  size: ReturnType<typeof useRowsPerPage>
}

interface Address<Order> extends ListSearch {
  order?: Order | undefined
}

/** A new search, order or page size starts at the first page. */
export function useListPage<const Order extends string = never>(
  search: Address<Order>,
  navigate: (to: { search: Address<NoInfer<Order>> }) => unknown,
): ListPage<Order> {
  const { keyword, order } = search
  const from = { ...search, page: undefined }
  const go = (to: Address<Order>) => void navigate({ search: to })
  const size = useRowsPerPage(() => go(from))
  return {
    page: pageIndex(search),
    filter: { keyword: keyword ?? '', order: order ?? '' },
    toPage: (next) => go({ ...search, page: pageParam(next) }),
    search: (words) => go({ ...from, keyword: words || undefined }),
    sort: (chosen) => go({ ...from, order: chosen || undefined }),
    size,
  }
}
