import { Group, Input, SegmentedControl, Text, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import type { FieldProps } from './field-props.ts'
import type { PlacedKey } from './sections.ts'

interface TableOrJsonProps extends FieldProps {
  name: PlacedKey
  /** Undefined when the text is not a valid table. */
  rows: number | undefined
  /** Why the table cannot be shown. */
  tableOff: string
  /** The formatted text: on a single line it would be hard to read. */
  laidOut: () => string
  /** The table itself. */
  children: ReactNode
}

/** A setting as a table, or as JSON text. Invalid text can only be edited as text. */
export function TableOrJson(props: TableOrJsonProps) {
  const { name, label, description, value, error, rows, tableOff, laidOut, onChange, children } = props
  const text = useText(optionTablesText).ratio
  const [asText, setAsText] = useState(false)
  const shownAsText = asText || rows === undefined

  const show = (view: string) => {
    setAsText(view === 'json')
    if (view === 'json' && rows !== undefined) onChange(laidOut())
  }

  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={description}
      error={error}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <Group gap={10} my={8}>
        <SegmentedControl
          size="xs"
          aria-label={text.view(label)}
          value={shownAsText ? 'json' : 'table'}
          onChange={show}
          data={[
            { value: 'table', label: text.table, disabled: rows === undefined },
            { value: 'json', label: text.json },
          ]}
        />
        <Text size="sm" c="dimmed">
          {rows === undefined ? tableOff : text.count(rows)}
        </Text>
      </Group>
      {shownAsText ? (
        <Textarea
          aria-label={text.jsonLabel(label)}
          value={value}
          data-path={name}
          onChange={(event) => onChange(event.currentTarget.value)}
          autosize
          minRows={5}
          maxRows={18}
          spellCheck={false}
          error={rows === undefined}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        />
      ) : (
        children
      )}
    </Input.Wrapper>
  )
}
