import { tokenStatusLabel } from '../../../lib/format/labels.ts'
import { keyActivityText } from '../../../text/key-activity.ts'
import { labelsText } from '../../../text/labels.ts'
import { useText } from '../../../text/text.ts'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Hint } from '../../../ui/feedback/hint.tsx'

interface TokenState {
  status: number
  blocked: boolean
  blocked_reason: string
}

/** The status of a key; if an administrator disabled it, with the reason. */
export function TokenStatusText({ status, blocked, blocked_reason }: TokenState) {
  const text = useText(keyActivityText)
  const labels = useText(labelsText)
  if (!blocked) return <StatusBadge {...tokenStatusLabel(status, labels)} />
  return (
    <Hint label={text.blockedBecause(blocked_reason)}>
      <StatusBadge tone="bad" text={text.blocked} />
    </Hint>
  )
}
