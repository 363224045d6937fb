import type { analytics, DataOf } from '@tollgate/contract'
import { useMoney } from '../../lib/format/money.tsx'
import { formatTimestamp, nowSeconds } from '../../lib/format/time.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { PanelNote, PanelRow } from '../../ui/layout/panel-rows.tsx'

type Budgets = DataOf<typeof analytics.attentionSelf>['budgets']

/** The user's budgets of which little is left, as list rows: with them calls are refused whatever the balance is. */
export function EndingBudgets({ budgets }: { budgets: Budgets }) {
  const text = useText(homeText)
  const money = useMoney()
  return budgets.map(({ id, scope, target_name, model, quota, raise_quota, raise_until, used, held, renews_at }) => {
    const limit = nowSeconds() < raise_until ? quota + raise_quota : quota
    const left = Math.max(0, limit - used - held)
    const name = text.budgetOf[scope](target_name)
    return (
      <PanelRow
        key={id}
        name={
          <>
            <AnchorLink to="/budget">{name}</AnchorLink>
            {model !== '' && ` · ${model}`}
          </>
        }
        title={name}
        side={<StatusBadge tone={left === 0 ? 'bad' : 'warn'} text={left === 0 ? text.budgetUsedUp : text.keyUsedUp} />}
      >
        <PanelNote text={text.keyLeft(money.quota(left, 'fine'), money.quota(limit, 'fine'))} />
        {renews_at > 0 && <PanelNote text={text.budgetRenews(formatTimestamp(renews_at))} />}
      </PanelRow>
    )
  })
}
