import { Button, Group } from '@mantine/core'
import { SECONDS_PER_MONTH } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { formatTimestamp, nowSeconds } from '../../lib/format/time.ts'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'
import { DateTimeInput } from '../../ui/inputs/date-time-input.tsx'
import classes from './expiry-field.module.css'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface ExpiryFieldProps {
  value: string
  onChange: (text: string) => void
  error?: ReactNode
  'data-path'?: string
}

/** A time, typed, picked, or one of the usual durations from now. */
export function ExpiryField({ value, onChange, ...rest }: ExpiryFieldProps) {
  const text = useText(tokensText)
  const distances = [
    { label: text.inMonth, seconds: SECONDS_PER_MONTH },
    { label: text.inDay, seconds: DAY },
    { label: text.inHour, seconds: HOUR },
    { label: text.inMinute, seconds: MINUTE },
  ]
  return (
    <div>
      <DateTimeInput
        label={text.expiry}
        placeholder={text.expiryPlaceholder}
        description={text.expiryHelp}
        value={value}
        onChange={onChange}
        {...rest}
      />
      <Group gap={6} className={classes.quick}>
        <Button size="compact-sm" variant="default" onClick={() => onChange('')}>
          {text.never}
        </Button>
        {distances.map(({ label, seconds }) => (
          <Button
            key={label}
            size="compact-sm"
            variant="default"
            onClick={() => onChange(formatTimestamp(nowSeconds() + seconds))}
          >
            {label}
          </Button>
        ))}
      </Group>
    </div>
  )
}
