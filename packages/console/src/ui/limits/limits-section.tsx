import { Input } from '@mantine/core'
import type { RateLimits, RateLimitUse } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { limitsText } from '../../text/limits.ts'
import { useText } from '../../text/text.ts'
import { FormSection } from '../inputs/form-section.tsx'
import { LimitUses } from './limit-uses.tsx'
import { RateLimitsField } from './rate-limits-field.tsx'

interface LimitsSectionProps {
  value: RateLimits
  onChange: (limits: RateLimits) => void
  /** Suggested models for limits of their own. */
  models: readonly string[]
  error?: ReactNode
  'data-path'?: string
  /** The current use of the stored limits. */
  uses?: readonly RateLimitUse[]
}

/** The limits in the form of a key or a user. */
export function LimitsSection({ uses = [], ...field }: LimitsSectionProps) {
  const text = useText(limitsText)
  return (
    <FormSection title={text.title} help={text.help}>
      <RateLimitsField {...field} />
      {uses.length > 0 && (
        <Input.Wrapper label={text.inUse} labelElement="div">
          <LimitUses uses={uses} />
        </Input.Wrapper>
      )}
    </FormSection>
  )
}
