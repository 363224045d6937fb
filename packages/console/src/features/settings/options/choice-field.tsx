import { Group, Input, SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { optionsText } from '../../../text/options.ts'
import { useText } from '../../../text/text.ts'
import type { FieldProps } from './field-props.ts'

interface ChoiceFieldProps extends FieldProps {
  name: 'Theme' | 'DefaultLocale'
}

/** One of a few values. A theme of an older console means "follow the system", as on the server. */
export function ChoiceField({ name, label, description, value, error, onChange }: ChoiceFieldProps) {
  const text = useText(optionsText)
  const id = useId()
  const choices: Record<string, string> = name === 'Theme' ? text.themes : text.locales
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      description={description}
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <Group my={4}>
        <SegmentedControl
          aria-labelledby={id}
          value={value in choices ? value : name === 'Theme' ? 'auto' : 'zh'}
          onChange={onChange}
          data={Object.entries(choices).map(([each, words]) => ({ value: each, label: words }))}
        />
      </Group>
    </Input.Wrapper>
  )
}
