import { useMoney } from '../../lib/format/money.tsx'
import { formatExact } from '../../lib/format/numbers.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { AnchorLink } from '../../ui/layout/links.tsx'
import type { CallLog } from './call-log.ts'
import { type CostLine, cacheSaving, costLines, costSum, rateInDollars, tidy, tokenSum } from './cost.ts'
import classes from './log-panel.module.css'
import { Fact, PanelSection } from './panel-section.tsx'

interface CostProps {
  log: CallLog
  /** Administrators set prices. */
  everyone: boolean
}

/** Usage and cost: the formula in text and in numbers. */
export function CostSection({ log, everyone }: CostProps) {
  const all = useText(logsText)
  const text = all.panel
  const { detail } = log
  const lines = costLines(detail ?? {})
  if (lines.length > 0) return <CostTable log={log} everyone={everyone} />
  if (log.prompt_tokens === 0 && log.completion_tokens === 0) return null
  return (
    <PanelSection title={text.usage}>
      <dl className={classes.facts}>
        <Fact label={all.prompt}>{formatExact(log.prompt_tokens)}</Fact>
        <Fact label={all.completion}>{formatExact(log.completion_tokens)}</Fact>
      </dl>
    </PanelSection>
  )
}

function CostTable({ log, everyone }: CostProps) {
  const text = useText(logsText).panel
  const money = useMoney()
  const lines = costLines(log.detail ?? {})
  const sum = costSum(lines)
  const tokens = tokenSum(lines)
  const { price, source, batch, beside = 0 } = log.detail ?? {}
  const saved = cacheSaving(log.detail ?? {})
  const buckets: Readonly<Record<string, string | undefined>> = text.buckets
  const sources: Readonly<Record<string, string | undefined>> = text.priceFrom
  const notes = [
    batch !== undefined && batch.requests > 1 && text.batchSum(batch.answered, formatExact(log.quota)),
    batch !== undefined && batch.unreported > 0 && text.batchUnreported(batch.unreported),
    source === 'estimated'
      ? batch === undefined && text.estimated
      : source === 'usage_anomaly'
        ? text.anomaly
        : source && text.reported,
    price?.source && sources[price.source],
    price?.assumed !== undefined && text.assumed(price.assumed.map((bucket) => buckets[bucket] ?? bucket).join(' · ')),
    price?.above !== undefined && text.above(formatExact(price.above)),
    price?.group && price.factor !== undefined && text.factor(price.group, tidy(price.factor)),
    beside > 0 && text.beside(formatExact(beside)),
    saved > 0 && text.cacheSaved(formatExact(saved)),
    saved < 0 && text.cacheFilled(formatExact(-saved)),
  ].filter((note): note is string => typeof note === 'string' && note !== '')
  return (
    <PanelSection title={text.usage}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{text.bucket}</th>
            <th scope="col">{tokens === undefined ? text.quantity : text.tokens}</th>
            <th scope="col">{text.rate}</th>
            <th scope="col">{text.amount}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.bucket}>
              <th scope="row">{buckets[line.bucket] ?? line.bucket}</th>
              <td>{formatExact(line.count)}</td>
              <td>{line.rate === undefined ? '—' : rateOf(line)}</td>
              <td>{line.amount === undefined ? '—' : tidy(line.amount)}</td>
            </tr>
          ))}
        </tbody>
        {sum !== undefined && lines.length > 1 && (
          <tfoot>
            <tr className={classes.sum}>
              <th scope="row">{text.sum}</th>
              <td>{tokens !== undefined && formatExact(tokens)}</td>
              <td />
              <td>{tidy(sum)}</td>
            </tr>
          </tfoot>
        )}
      </table>
      {sum !== undefined && batch === undefined && (
        <p className={classes.formula}>
          {text.formula(tidy(sum), tidy(price?.factor ?? 1), formatExact(log.quota - beside))}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
      {everyone && price?.source === 'default' && (
        <p className={classes.note}>
          <AnchorLink to="/setting" search={{ tab: 'operation', model: log.model_name }} hash="ratios" inherit>
            {text.setPrice}
          </AnchorLink>
        </p>
      )}
    </PanelSection>
  )

  function rateOf(line: CostLine) {
    const { amount, unit } = rateInDollars(line, money.quotaPerUnit)
    return text.rates[unit](amount)
  }
}
