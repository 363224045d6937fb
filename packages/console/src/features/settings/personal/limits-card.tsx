import type { RateLimitUse } from '@tollgate/contract'
import { LimitUses } from '../../../ui/limits/limit-uses.tsx'
import { SettingsCard } from '../settings-card.tsx'

/** One's own limits, and how near one is to them. */
export function LimitsCard({ limits }: { limits: readonly RateLimitUse[] }) {
  return (
    <SettingsCard id="ownLimits">
      <LimitUses uses={limits} />
    </SettingsCard>
  )
}
