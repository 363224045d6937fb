import { PAGE_SIZE } from '@tollgate/contract'
import { useState } from 'react'
import { stored } from '../browser/storage.ts'

interface ListViewOptions<Choice extends string> {
  /** The storage key. */
  name: 'log' | 'channel'
  /** The optional columns, in their order. */
  choices: readonly Choice[]
  defaults: readonly Choice[]
  pageSizes: readonly number[]
}

/** The columns and page size of a list, remembered in this browser. */
export function listView<Choice extends string>({ name, choices, defaults, pageSizes }: ListViewOptions<Choice>) {
  /** The stored choices that this version knows. */
  const readChoices = (remembered: unknown): ReadonlySet<Choice> =>
    new Set(Array.isArray(remembered) ? choices.filter((choice) => remembered.includes(choice)) : defaults)

  const readPageSize = (remembered: string | null): number =>
    pageSizes.find((size) => String(size) === remembered) ?? PAGE_SIZE

  function useView() {
    const [chosen, setChosen] = useState(() => readChoices(stored.readJson(`${name}_columns`)))
    const [pageSize, setPageSize] = useState(() => readPageSize(stored.read(`${name}_page_size`)))
    return {
      choices: chosen,
      toggle(choice: Choice) {
        const next = new Set(chosen)
        if (!next.delete(choice)) next.add(choice)
        stored.write(`${name}_columns`, JSON.stringify([...next]))
        setChosen(next)
      },
      pageSize,
      resize(rows: number) {
        stored.write(`${name}_page_size`, String(rows))
        setPageSize(rows)
      },
    }
  }

  return { readChoices, readPageSize, useView }
}
