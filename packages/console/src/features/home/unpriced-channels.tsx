import type { analytics, DataOf } from '@tollgate/contract'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { PanelNote, PanelRow } from '../../ui/layout/panel-rows.tsx'

type Channel = DataOf<typeof analytics.attention>['channels'][number]

/** Several channels whose only problem is missing prices share a row, because many offer the same models. */
export function apartFromUnpriced(channels: readonly Channel[]) {
  const unpriced = channels.filter(({ reasons }) => reasons.every((reason) => reason === 'unpriced'))
  if (unpriced.length < 2) return { channels, unpriced: [] }
  return { channels: channels.filter((channel) => !unpriced.includes(channel)), unpriced }
}

export function UnpricedChannels({ channels }: { channels: readonly Channel[] }) {
  const text = useText(homeText)
  const models = [...new Set(channels.flatMap(({ unpriced }) => unpriced))]
  return (
    <PanelRow
      name={
        <AnchorLink to="/channel" search={{ unpriced: 'true' }}>
          {text.unpricedChannels(channels.length)}
        </AnchorLink>
      }
      side={<StatusBadge tone="warn" text={text.noPrice} />}
    >
      <UnpricedNote models={models} />
    </PanelRow>
  )
}

/** Leads to where their prices are set. */
export function UnpricedNote({ models }: { models: readonly string[] }) {
  const text = useText(homeText)
  return (
    <PanelNote
      text={text.unpricedModels(models.length, models.join(', '))}
      link={(line) => (
        <AnchorLink to="/setting" search={{ tab: 'operation', model: models[0] }} hash="ratios" inherit>
          {line}
        </AnchorLink>
      )}
    />
  )
}
