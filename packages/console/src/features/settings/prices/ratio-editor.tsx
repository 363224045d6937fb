import { Button, Table, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { commonText } from '../../../text/common.ts'
import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import { IconButton } from '../../../ui/layout/icon-button.tsx'
import { IconSearch, IconTrash } from '../../../ui/layout/icons.tsx'
import type { PlacedKey } from '../options/sections.ts'
import { RatioAdd } from './ratio-add.tsx'
import classes from './ratio-editor.module.css'
import { RatioInput } from './ratio-input.tsx'
import type { RatioRow } from './ratio-table.ts'
import { UnpricedModels } from './unpriced-models.tsx'

/** More rows than these are found by searching, not by scrolling. */
const SHOWN_AT_FIRST = 30
const SEARCHABLE_FROM = 8

/** Ratio 1 is 0.002 dollars per 1K tokens. */
const DOLLARS_PER_MILLION = 2

interface RatioEditorProps {
  name: PlacedKey
  label: string
  rows: RatioRow[]
  /** The ratio of models without a ratio or price of their own. */
  fallback: number
  onChange: (rows: RatioRow[]) => void
}

export function RatioEditor({ name, label, rows, fallback, onChange }: RatioEditorProps) {
  const text = useText(optionTablesText).ratio
  const common = useText(commonText)
  const [word, setWord] = useState('')
  const [all, setAll] = useState(false)
  const found = rows.filter((row) => row.name.toLowerCase().includes(word.trim().toLowerCase()))
  const shown = all ? found : found.slice(0, SHOWN_AT_FIRST)
  const priced = name === 'ModelRatio'
  const taken = (wanted: string) => rows.some((row) => row.name === wanted)
  const add = (row: RatioRow) => onChange([row, ...rows])
  const change = (changed: string, ratio: number) =>
    onChange(rows.map((row) => (row.name === changed ? { ...row, ratio } : row)))
  const empty = name === 'CompletionRatio' ? text.emptyCompletion : text.empty

  return (
    <div className={classes.editor}>
      {priced && <UnpricedModels taken={taken} onAdd={(model) => add({ name: model, ratio: fallback })} />}
      {rows.length >= SEARCHABLE_FROM && (
        <TextInput
          type="search"
          aria-label={text.search(label)}
          placeholder={text.search(label)}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
      )}
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          {rows.length === 0 ? empty : text.nothing}
        </Text>
      ) : (
        <div className={classes.frame}>
          <Table className={classes.table} aria-label={label}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text.name}</Table.Th>
                <Table.Th className={classes.ratio}>{text.value}</Table.Th>
                {priced && <Table.Th className={classes.price}>{text.price}</Table.Th>}
                <Table.Th className={classes.remove}>
                  <VisuallyHidden>{common.actions}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <Table.Tr key={row.name}>
                  <Table.Td className={classes.name}>{row.name}</Table.Td>
                  <Table.Td className={classes.ratio}>
                    <RatioInput
                      label={text.valueOf(row.name)}
                      value={row.ratio}
                      onChange={(ratio) => change(row.name, ratio)}
                    />
                  </Table.Td>
                  {priced && (
                    <Table.Td className={classes.price}>
                      <RatioInput
                        label={text.priceOf(row.name)}
                        value={row.ratio}
                        dollars={DOLLARS_PER_MILLION}
                        onChange={(ratio) => change(row.name, ratio)}
                      />
                    </Table.Td>
                  )}
                  <Table.Td className={classes.remove}>
                    <IconButton
                      label={text.remove(row.name)}
                      onClick={() => onChange(rows.filter((other) => other.name !== row.name))}
                    >
                      <IconTrash size={16} />
                    </IconButton>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {shown.length < found.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {text.showAll(found.length)}
        </Button>
      )}
      <RatioAdd placeholder={name === 'GroupRatio' ? text.addGroup : text.addName} taken={taken} onAdd={add} />
    </div>
  )
}
