import { Input, SegmentedControl } from '@mantine/core'
import type { RecordingMaxima, RecordingSettings } from '@tollgate/contract'
import { recordingsText } from '../../text/recordings.ts'
import { useText } from '../../text/text.ts'
import { NumberField } from '../../ui/inputs/number-field.tsx'

const NUMBERS = ['share', 'days', 'size'] as const

interface RecordingFieldsProps {
  value: RecordingSettings
  onChange: (settings: RecordingSettings) => void
  /** The administrator's maxima. */
  maxima: RecordingMaxima
}

/** Which calls are recorded, how long, and how much of each. */
export function RecordingFields({ value, onChange, maxima }: RecordingFieldsProps) {
  const text = useText(recordingsText)
  const help = { share: text.shareHelp, days: text.daysHelp, size: text.sizeHelp }
  return (
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
  )
}
