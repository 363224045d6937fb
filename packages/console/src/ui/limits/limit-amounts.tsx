import { RATE_LIMIT_KINDS, RATE_LIMIT_MAX, type RateLimit } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { withLimit } from '../../lib/format/rate-limits.ts'
import { limitsText } from '../../text/limits.ts'
import { useText } from '../../text/text.ts'
import { NumberField } from '../inputs/number-field.tsx'
import classes from './limits.module.css'

interface LimitAmountsProps<Limits extends RateLimit> {
  value: Limits
  onChange: (limits: Limits) => void
  error?: ReactNode
  'data-path'?: string
}

/** Requests, tokens, and concurrent calls. */
export function LimitAmounts<Limits extends RateLimit>(props: LimitAmountsProps<Limits>) {
  const { value, onChange, error, 'data-path': path } = props
  const text = useText(limitsText)
  return (
    <div className={classes.amounts}>
      {RATE_LIMIT_KINDS.map((kind, at) => (
        <NumberField
          key={kind}
          label={text.kind[kind]}
          min={1}
          max={RATE_LIMIT_MAX}
          value={value[kind] ?? ''}
          onChange={(amount) => onChange(withLimit(value, kind, amount))}
          // A server error concerns all of them; it is shown at the first.
          {...(at === 0 && { error, ...(path !== undefined && { 'data-path': path }) })}
        />
      ))}
    </div>
  )
}
