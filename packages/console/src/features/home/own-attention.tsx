import { useQuery } from '@tanstack/react-query'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PanelRows } from '../../ui/layout/panel-rows.tsx'
import { EndingBudgets } from './ending-budgets.tsx'
import { EndingKeys } from './ending-keys.tsx'
import { ownAttention } from './queries.ts'

/** The user's own keys and budgets that end soon; nothing when there are none. */
export function OwnAttention() {
  const text = useText(homeText)
  const { data } = useQuery(ownAttention)
  if (data === undefined || data.keys.list.length + data.budgets.length === 0) return null
  const action =
    data.keys.list.length > 0 ? (
      <AnchorLink to="/token">{text.allTokens}</AnchorLink>
    ) : (
      <AnchorLink to="/budget">{text.allBudgets}</AnchorLink>
    )
  return (
    <Panel title={text.attention} action={action} flush>
      <PanelRows>
        <EndingBudgets budgets={data.budgets} />
        <EndingKeys keys={data.keys} />
      </PanelRows>
    </Panel>
  )
}
