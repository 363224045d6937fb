import type { RateLimitUse } from '@tollgate/contract'
import { LimitUses } from '../../../ui/limits/limit-uses.tsx'
import { SettingsCard } from '../settings-card.tsx'

/** The user's rate limits and their use. */
export function LimitsCard({ limits }: { limits: readonly RateLimitUse[] }) {
  return (
    <SettingsCard id="ownLimits">
      <LimitUses uses={limits} />
    </SettingsCard>
  )
}
