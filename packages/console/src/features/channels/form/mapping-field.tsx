import { Group, Input, SegmentedControl, Textarea } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { mappingRows } from './mapping.ts'
import { MappingTable } from './mapping-table.tsx'

const EXAMPLE = '{\n  "gpt-4": "gpt-4o"\n}'

interface MappingFieldProps {
  value: string
  onChange: (text: string) => void
  error?: ReactNode
  'data-path'?: string
}

/** Rows from → to, or the JSON text; invalid text can only be edited as text. */
export function MappingField({ value, onChange, error, ...rest }: MappingFieldProps) {
  const text = useText(channelsText)
  const id = useId()
  const rows = mappingRows(value)
  const [asText, setAsText] = useState(rows === undefined)
  const shownAsText = asText || rows === undefined
  return (
    <Input.Wrapper
      label={text.mapping}
      labelElement="div"
      description={text.mappingHelp}
      error={error}
      id={id}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <Group mt={6} mb={8}>
        <SegmentedControl
          size="xs"
          aria-label={text.mappingView}
          value={shownAsText ? 'json' : 'rows'}
          onChange={(view) => setAsText(view === 'json')}
          data={[
            { value: 'rows', label: text.mappingRows, disabled: rows === undefined },
            { value: 'json', label: text.mappingJson },
          ]}
        />
      </Group>
      {shownAsText ? (
        <Textarea
          aria-label={text.mappingJsonLabel}
          placeholder={EXAMPLE}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autosize
          minRows={4}
          maxRows={14}
          spellCheck={false}
          error={rows === undefined}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          {...rest}
        />
      ) : (
        <MappingTable rows={rows} onChange={onChange} />
      )}
    </Input.Wrapper>
  )
}
