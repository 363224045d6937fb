import { Button } from '@mantine/core'
import { Fragment, type ReactNode, useState } from 'react'
import { formatExact } from '../../lib/format/numbers.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'

interface FoldedListProps<Item> {
  items: readonly Item[]
  idOf: (item: Item) => number
  /** Shown in any case, with those before them. */
  isShown?: (item: Item) => boolean
  /** The list around the items. */
  list: (items: ReactNode) => ReactNode
  children: (item: Item, index: number) => ReactNode
}

const SHOWN = 10

/** The first items of a list, and a button for the others. */
export function FoldedList<Item>({ items, idOf, isShown, list, children }: FoldedListProps<Item>) {
  const text = useText(routesText)
  const [all, setAll] = useState(false)
  const shown = all ? items.length : Math.max(SHOWN, items.findLastIndex((item) => isShown?.(item)) + 1)
  return (
    <>
      {list(items.slice(0, shown).map((item, index) => <Fragment key={idOf(item)}>{children(item, index)}</Fragment>))}
      {items.length > shown && (
        <Button variant="default" size="xs" mb="sm" onClick={() => setAll(true)}>
          {text.showAll(formatExact(items.length))}
        </Button>
      )}
    </>
  )
}
