import { Input, SegmentedControl, Switch } from '@mantine/core'
import type { RecordingMaxima, RecordingSettings } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { recordingsText } from '../../text/recordings.ts'
import { useText } from '../../text/text.ts'
import { FormSection } from '../../ui/inputs/form-section.tsx'
import { NumberField } from '../../ui/inputs/number-field.tsx'

interface RecordingSectionProps {
  value: RecordingSettings | null
  onChange: (settings: RecordingSettings | null) => void
  /** The administrator's maxima. */
  maxima: RecordingMaxima
  error?: ReactNode
  'data-path'?: string
}

const NUMBERS = ['share', 'days', 'size'] as const

/** The owner of a key agrees here to the recording of its calls. */
export function RecordingSection({ value, onChange, maxima, error, 'data-path': path }: RecordingSectionProps) {
  const text = useText(recordingsText)
  const help = { share: text.shareHelp, days: text.daysHelp, size: text.sizeHelp }
  const days = Math.min(value?.days ?? maxima.days, maxima.days)
  const size = Math.min(value?.size ?? maxima.size, maxima.size)
  return (
    <FormSection title={text.title} help={text.help}>
      <Switch
        label={text.on}
        checked={value !== null}
        error={error}
        data-path={path}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? { scope: 'errors', ...maxima } : null)}
      />
      <Input.Description>{text.kept(days, size)}</Input.Description>
      <Input.Description>{text.readers}</Input.Description>
      {value !== null && (
        <>
          <Input.Wrapper label={text.scope} labelElement="div">
            <div>
              <SegmentedControl
                aria-label={text.scope}
                value={value.scope}
                data={[
                  { value: 'errors', label: text.errors },
                  { value: 'all', label: text.all },
                ]}
                onChange={(scope) => onChange({ ...value, scope: scope === 'all' ? 'all' : 'errors' })}
              />
            </div>
          </Input.Wrapper>
          {NUMBERS.map((name) => (
            <NumberField
              key={name}
              label={text[name]}
              description={help[name](maxima[name])}
              value={Math.min(value[name], maxima[name])}
              min={1}
              max={maxima[name]}
              onChange={(number) => onChange({ ...value, [name]: number === '' ? maxima[name] : number })}
            />
          ))}
        </>
      )}
    </FormSection>
  )
}
