import { PasswordInput, Textarea } from '@mantine/core'
import { type Channel, channelType } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import { keyCount } from './channel-values.ts'

interface KeyFieldProps {
  type: number
  /** The channel being edited; undefined for a new one. */
  stored: Channel | undefined
  /** Whether an empty field keeps the stored key. */
  kept: boolean
  value: string
  onChange: (key: string) => void
  error?: ReactNode
  'data-path'?: string
}

/** On creation one key per line; on an edit one key, or nothing to keep the stored one. */
export function KeyField({ type, stored, kept, onChange, ...rest }: KeyFieldProps) {
  const text = useText(channelsText)
  const common = useText(commonText)
  const format = channelType(type)?.keyFormat
  const formatText = format && text.keyFormat(format)
  const count = keyCount(type, rest.value)
  const order = { inputWrapperOrder: ['label', 'input', 'description', 'error'] } satisfies {
    inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[]
  }
  if (stored !== undefined) {
    const hint = stored.key_hint === '' ? text.keyKeep : text.keyKeepHint(stored.key_hint)
    return (
      <PasswordInput
        {...order}
        {...rest}
        label={text.key}
        description={formatText}
        placeholder={kept ? hint : (format ?? text.keyPlaceholder)}
        required={!kept}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': common.show }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  const lines = count > 1 ? text.keyCount(count) : text.keyLines
  return (
    <Textarea
      {...order}
      {...rest}
      label={text.key}
      description={formatText === undefined ? lines : `${formatText} · ${lines}`}
      placeholder={format ?? text.keyPlaceholder}
      required
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
