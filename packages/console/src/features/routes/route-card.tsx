import { Badge, Progress } from '@mantine/core'
import type { RouteChannel } from '@tollgate/contract'
import { memo } from 'react'
import { formatMs } from '../../lib/format/format-ms.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { formatExact } from '../../lib/format/numbers.ts'
import { percentText, shareText } from '../../lib/format/share.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { ChannelTypeLabel } from '../../ui/display/channel-type-label.tsx'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { IconButton } from '../../ui/layout/icon-button.tsx'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '../../ui/layout/icons.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { renewalText } from './renewal-text.ts'
import classes from './routes.module.css'
import type { HandleOf } from './use-route-drag.ts'

interface RouteCardProps {
  channel: RouteChannel
  changed: boolean
  dragged: boolean
  /** Undefined when it cannot be moved. */
  handleOf: HandleOf | undefined
  canUp: boolean
  canDown: boolean
  onStep: (channel: number, step: 'up' | 'down') => void
  onWeight: (channel: RouteChannel, weight: number) => void
}

/** The server's limit. */
const WEIGHT_MAX = 1_000_000_000

/** One channel of a level: its share, price and health. There may be hundreds, of which a change concerns a few. */
export const RouteCard = memo(
  Card,
  ({ channel: before, ...one }, { channel: now, ...other }) => isAlike(before, now) && isAlike(one, other),
)

const isAlike = <T extends object>(one: T, other: T) => {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.is(Reflect.get(one, name), Reflect.get(other, name)))
  )
}

function Card({ channel, changed, dragged, handleOf, canUp, canDown, onStep, onWeight }: RouteCardProps) {
  const text = useText(routesText)
  const { channel: id, name, type, weight, share, reason } = channel
  return (
    <li className={classes.card} data-dragged={dragged || undefined} data-off={reason !== null || undefined}>
      <div className={classes.cardHead}>
        {handleOf !== undefined && (
          <button
            type="button"
            className={classes.handle}
            tabIndex={-1}
            aria-label={text.drag(name)}
            {...handleOf(id, name)}
          >
            <IconGripVertical size={18} />
          </button>
        )}
        <div className={classes.who}>
          <AnchorLink className={classes.name} to="/channel/edit/$id" params={{ id: String(id) }} inherit>
            {name}
          </AnchorLink>
          <span className={classes.muted}>#{id}</span>
          <ChannelTypeLabel type={type} />
          {changed && <Badge variant="light">{text.changedMark}</Badge>}
        </div>
        <span className={classes.share}>{text.share(percentText(share))}</span>
      </div>
      <Progress value={share * 100} size="lg" aria-label={`${name}: ${text.share(percentText(share))}`} />
      <div className={classes.cardBody}>
        <Facts channel={channel} />
        <div className={classes.controls}>
          <div className={classes.weight}>
            <NumberField
              label={text.weight}
              value={weight}
              min={0}
              max={WEIGHT_MAX}
              onChange={(next) => next !== '' && onWeight(channel, next)}
            />
          </div>
          <IconButton id={stepId(id, 'up')} label={text.up(name)} disabled={!canUp} onClick={() => onStep(id, 'up')}>
            <IconArrowUp size={18} />
          </IconButton>
          <IconButton
            id={stepId(id, 'down')}
            label={text.down(name)}
            disabled={!canDown}
            onClick={() => onStep(id, 'down')}
          >
            <IconArrowDown size={18} />
          </IconButton>
        </div>
      </div>
    </li>
  )
}

export const stepId = (channel: number, step: 'up' | 'down') => `route-${channel}-${step}`

function Facts({ channel }: { channel: RouteChannel }) {
  const text = useText(routesText)
  const money = useMoney()
  const { price, health, reason, renewal, budget, weight, share, keys } = channel
  const { first_byte_p50: p50, first_byte_p95: p95, recent, day, open, closed_until } = health
  const perCall = price.request > 0 ? [text.priceOfCall(money.quota(price.request, 'fine'))] : []
  // What is priced per piece has no token price.
  const perTokens =
    price.request > 0 && price.input === 0 && price.output === 0
      ? []
      : [text.priceOf(money.quota(price.input, 'fine'), money.quota(price.output, 'fine'))]
  const perUnit = price.unit === 'tokens' ? perTokens : [text.priceEach[price.unit](money.quota(price.each, 'fine'))]
  const failures = (counts: typeof recent) => {
    if (counts.calls === null) return text.failedOnly(formatExact(counts.failed))
    if (counts.calls === 0) return text.noCalls
    return text.failedOf(formatExact(counts.failed), formatExact(counts.calls), shareText(counts))
  }
  return (
    <div>
      {reason !== null && (
        <p className={classes.reason}>
          {renewal !== null
            ? text.withRenewal(text.reasons[reason], renewalText(renewal, text))
            : closed_until === null
              ? text.reasons[reason]
              : text.restsUntil(text.reasons[reason], formatTimestamp(closed_until))}
        </p>
      )}
      {reason === null && weight === 0 && share === 0 && <p className={classes.muted}>{text.waits}</p>}
      <dl className={classes.facts}>
        <Fact name={text.price}>
          {price.source === 'default' ? text.unpriced : [...perUnit, ...perCall].join(' · ')}
        </Fact>
        <Fact name={text.failures}>{text.failuresOf(failures(recent), failures(day))}</Fact>
        {p50 !== null && p95 !== null && (
          <Fact name={text.firstByte}>{text.firstByteOf(formatMs(p50), formatMs(p95))}</Fact>
        )}
        {open > 0 && <Fact name={text.open}>{text.openOf(formatExact(open))}</Fact>}
        {budget !== null && (
          <Fact name={text.budget}>
            {text.budgetLeft(money.quota(budget.left, 'fine'), money.quota(budget.quota, 'fine'))}
          </Fact>
        )}
        {keys !== undefined && <Fact name={text.keys}>{text.keysOf(formatExact(keys))}</Fact>}
      </dl>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
