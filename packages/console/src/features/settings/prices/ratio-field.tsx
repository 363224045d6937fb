import { Group, Input, SegmentedControl, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { settingsText } from '../../../text/settings.ts'
import { useText } from '../../../text/text.ts'
import type { FieldProps } from '../options/field-props.ts'
import type { PlacedKey } from '../options/sections.ts'
import { RatioEditor } from './ratio-editor.tsx'
import { ratioRows, ratioText } from './ratio-table.ts'

interface RatioFieldProps extends FieldProps {
  name: PlacedKey
  fallback: number
}

/** Names and factors as a table, or the JSON text itself. A text that is no such table can only be edited as text. */
export function RatioField({ name, label, description, value, error, fallback, onChange }: RatioFieldProps) {
  const text = useText(settingsText)
  const rows = ratioRows(value)
  const [asText, setAsText] = useState(false)
  const shownAsText = asText || rows === undefined

  const show = (view: string) => {
    setAsText(view === 'json')
    // Stored on one line, it would be hard to read.
    if (view === 'json' && rows !== undefined) onChange(ratioText(rows))
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
          aria-label={text.ratio.view(label)}
          value={shownAsText ? 'json' : 'table'}
          onChange={show}
          data={[
            { value: 'table', label: text.ratio.table, disabled: rows === undefined },
            { value: 'json', label: text.ratio.json },
          ]}
        />
        <Text size="sm" c="dimmed">
          {rows === undefined ? text.ratio.tableOff : text.ratio.count(rows.length)}
        </Text>
      </Group>
      {shownAsText ? (
        <Textarea
          aria-label={text.ratio.jsonLabel(label)}
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
        <RatioEditor
          name={name}
          label={label}
          rows={rows}
          fallback={fallback}
          onChange={(next) => onChange(ratioText(next))}
        />
      )}
    </Input.Wrapper>
  )
}
