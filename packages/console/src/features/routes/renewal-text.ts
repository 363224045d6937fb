import type { BudgetRenewal } from '@tollgate/contract'
import { formatTimestamp } from '../../lib/format/time.ts'
import type { routesText } from '../../text/routes.ts'

type Words = (typeof routesText)['en']

/** When a budget that is used up has room again, in the reader's time zone. */
export const renewalText = ({ renews_at, rolling }: BudgetRenewal, text: Words) => {
  if (renews_at > 0) return text.renewsAt(formatTimestamp(renews_at))
  return rolling ? text.renewsGradually : text.renewsNever
}
