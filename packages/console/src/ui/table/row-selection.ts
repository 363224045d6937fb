import { useState } from 'react'

/** What a list needs for a checkbox before each row. */
export interface RowSelection<Row> {
  isSelected: (id: number) => boolean
  label: (row: Row) => string
  pageLabel: string
  /** With `range`, all rows from the previous click to this one. */
  onToggle: (id: number, range: boolean) => void
  /** Selects all rows of the page, or none of them. */
  onTogglePage: () => void
}

/** The selected rows of all pages. Shift-click selects all between it and the previous click. */
export function useSelectedRows(pageIds: readonly number[]) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set<number>())
  const [last, setLast] = useState<number>()
  const toggle = (id: number, range: boolean) => {
    setSelected(toggled(selected, { id, pageIds, last: range ? last : undefined }))
    setLast(id)
  }
  const togglePage = () => setSelected(pageToggled(selected, pageIds))
  return {
    selected,
    clear: () => setSelected(new Set()),
    toggle,
    togglePage,
    /** The checkboxes of a table, without their labels. */
    boxes: { isSelected: (id: number) => selected.has(id), onToggle: toggle, onTogglePage: togglePage },
  }
}

interface Click {
  id: number
  pageIds: readonly number[]
  /** Where a range starts; undefined without one. */
  last: number | undefined
}

/** A range takes the new state of the clicked row. */
export function toggled(selected: ReadonlySet<number>, { id, pageIds, last }: Click): ReadonlySet<number> {
  const [from, to] = [last === undefined ? -1 : pageIds.indexOf(last), pageIds.indexOf(id)]
  const touched = from === -1 ? [id] : pageIds.slice(Math.min(from, to), Math.max(from, to) + 1)
  return selected.has(id)
    ? new Set([...selected].filter((one) => !touched.includes(one)))
    : new Set([...selected, ...touched])
}

export const pageToggled = (selected: ReadonlySet<number>, pageIds: readonly number[]): ReadonlySet<number> =>
  pageIds.every((id) => selected.has(id))
    ? new Set([...selected].filter((id) => !pageIds.includes(id)))
    : new Set([...selected, ...pageIds])
