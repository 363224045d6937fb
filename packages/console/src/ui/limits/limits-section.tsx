import { Input, Text } from '@mantine/core'
import type { RateLimits, RateLimitUse } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { limitsInWords } from '../../lib/format/limits-in-words.ts'
import { isLimited } from '../../lib/format/rate-limits.ts'
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
  /** Set by an administrator; they apply besides. */
  adminLimits?: RateLimits
  /** The current use of the stored limits. */
  uses?: readonly RateLimitUse[]
}

/** The limits in the form of a key or a user. */
export function LimitsSection({ uses = [], adminLimits = {}, ...field }: LimitsSectionProps) {
  const text = useText(limitsText)
  return (
    <FormSection title={text.title} help={text.help}>
      {isLimited(adminLimits) && <Text size="sm">{text.byAdmin(limitsInWords(adminLimits, text))}</Text>}
      <RateLimitsField {...field} />
      {uses.length > 0 && (
        <Input.Wrapper label={text.inUse} labelElement="div">
          <LimitUses uses={uses} />
        </Input.Wrapper>
      )}
    </FormSection>
  )
}
