import type { DashboardRow } from '@tollgate/contract'
import { useMoney } from '../../lib/money.tsx'
import { formatNumber } from '../../lib/numbers.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { seriesColor } from './series-color.ts'
import { totalsOf, type UsageTable } from './usage-data.ts'
import classes from './usage-panel.module.css'

interface ModelTotalsProps {
  rows: readonly DashboardRow[]
  table: UsageTable
  nameOf: (model: string | undefined) => string
}

/** The legend of the chart, with what each model came to in seven days. */
export function ModelTotals({ rows, table, nameOf }: ModelTotalsProps) {
  const text = useText(homeText)
  const money = useMoney()
  const named = new Set(table.series.map(({ model }) => model))
  return (
    <table className={classes.models}>
      <thead>
        <tr>
          <th scope="col">{text.model}</th>
          <th scope="col">{text.requests}</th>
          <th scope="col">{text.tokens}</th>
          <th scope="col">{text.quota}</th>
        </tr>
      </thead>
      <tbody>
        {table.series.map(({ key, model }) => {
          const own = rows.filter(({ ModelName }) =>
            model === undefined ? !named.has(ModelName) : ModelName === model,
          )
          const totals = totalsOf(own)
          return (
            <tr key={key}>
              <th scope="row">
                <span className={classes.model}>
                  <span className={classes.swatch} style={{ background: seriesColor(table, key) }} aria-hidden />
                  {nameOf(model)}
                </span>
              </th>
              <td>{formatNumber(totals.requests)}</td>
              <td>{formatNumber(totals.tokens)}</td>
              <td title={money.explained(totals.quota)}>{money.quota(totals.quota, 'fine')}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
