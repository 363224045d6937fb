import { Input, SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { settingsText } from '../../text/settings.ts'
import { useText } from '../../text/text.ts'
import type { FieldProps } from './field-props.ts'

/** The default look of the site. Names of an older console read as "follow the system", as the server reads them. */
export function ThemeField({ label, description, value, error, onChange }: FieldProps) {
  const text = useText(settingsText)
  const id = useId()
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      description={description}
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <div>
        <SegmentedControl
          aria-labelledby={id}
          value={value === 'light' || value === 'dark' ? value : 'auto'}
          onChange={onChange}
          data={[
            { value: 'auto', label: text.themes.auto },
            { value: 'light', label: text.themes.light },
            { value: 'dark', label: text.themes.dark },
          ]}
        />
      </div>
    </Input.Wrapper>
  )
}
