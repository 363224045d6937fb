import { Input, Switch } from '@mantine/core'
import type { RecordingMaxima, RecordingSettings } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { recordingsText } from '../../text/recordings.ts'
import { useText } from '../../text/text.ts'
import { FormSection } from '../../ui/inputs/form-section.tsx'
import { RecordingFields } from './recording-fields.tsx'

interface RecordingSectionProps {
  value: RecordingSettings | null
  onChange: (settings: RecordingSettings | null) => void
  /** The administrator's maxima. */
  maxima: RecordingMaxima
  /** Shown while recording is off. */
  children?: ReactNode
  error?: ReactNode
  'data-path'?: string
}

/** The owner of a key agrees here to the recording of its calls. */
export function RecordingSection(props: RecordingSectionProps) {
  const { value, onChange, maxima, children, error, 'data-path': path } = props
  const text = useText(recordingsText)
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
      {value === null ? children : <RecordingFields value={value} onChange={onChange} maxima={maxima} />}
    </FormSection>
  )
}
