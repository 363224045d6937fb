import { PasswordInput, Textarea, TextInput } from '@mantine/core'
import type { ChannelField } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useContractText } from '../../../text/contract-text.ts'
import { useText } from '../../../text/text.ts'

interface SpecialFieldProps {
  field: ChannelField
  /** The server has a value that is not shown; left empty, it is kept. */
  isSet: boolean
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  'data-path'?: string
}

/** A field of some channel types only. */
export function SpecialField({ field, isSet, onChange, ...rest }: SpecialFieldProps) {
  const text = useText(channelsText)
  const common = useText(commonText)
  const inLanguage = useContractText()
  const kept = isSet ? text.secretKeep : undefined
  const props = {
    label: inLanguage(field.label),
    required: field.required && !isSet,
    placeholder: kept ?? field.placeholder ?? field.default ?? '',
    ...rest,
  }
  if (field.name === 'config.vertex_ai_adc') {
    return (
      <Textarea
        {...props}
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        styles={MONOSPACE}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  if (field.secret) {
    return (
      <PasswordInput
        {...props}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': common.show }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return <TextInput {...props} spellCheck={false} onChange={(event) => onChange(event.currentTarget.value)} />
}

const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }
