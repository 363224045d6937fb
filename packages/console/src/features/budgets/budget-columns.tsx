import { Progress, Text } from '@mantine/core'
import type { Budget } from '@tollgate/contract'
import type { useMoney } from '../../lib/format/money.tsx'
import { formatTimestamp, nowSeconds } from '../../lib/format/time.ts'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/budgets.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import { TimeText } from '../../ui/display/time-text.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'
import { limitOf, targetOf, usedPercent } from './budget-values.ts'

interface Needs {
  text: Words<typeof zh>
  money: ReturnType<typeof useMoney>
}

export const budgetColumns = ({ text, money }: Needs): Column<Budget>[] => [
  {
    key: 'target',
    title: text.target,
    card: 'heading',
    render: (budget) => (
      <Ellipsis text={`${text.scopes[budget.scope]} ${targetOf(budget) || `#${budget.target} (${text.gone})`}`} />
    ),
  },
  { key: 'model', title: text.model, render: ({ model }) => <Ellipsis text={model || text.everyModel} /> },
  {
    key: 'quota',
    title: text.quota,
    align: 'right',
    render: ({ quota, period, rolling }) =>
      `${money.quota(quota, 'fine')} ${(rolling ? text.rollingPeriods : text.periods)[period]}`,
  },
  { key: 'used', title: text.used, width: 220, render: (budget) => <BudgetUse {...{ budget, text, money }} /> },
  {
    key: 'renews',
    title: text.renews,
    render: ({ renews_at, period }) => (
      <TimeText seconds={renews_at} otherwise={period === 'forever' ? text.never : text.rolls} />
    ),
  },
]

/** A progress bar and its text. What running calls hold counts as used. */
function BudgetUse({ budget, text, money }: Needs & { budget: Budget }) {
  const limit = limitOf(budget, nowSeconds())
  const percent = usedPercent(budget, limit)
  const raised = limit > budget.quota
  const title = raised
    ? text.raised(money.quota(budget.raise_quota, 'fine'), formatTimestamp(budget.raise_until))
    : undefined
  return (
    <div title={title}>
      <Progress value={percent} color={colorOf(percent)} size="sm" aria-label={text.usedShare(percent)} />
      <Text size="xs" c="dimmed">
        {text.usedOf(money.quota(budget.used + budget.held, 'fine'), money.quota(limit, 'fine'))} · {percent}%
      </Text>
    </div>
  )
}

/** The thresholds at which its owner is notified. */
const colorOf = (percent: number) => (percent >= 100 ? 'red' : percent >= 80 ? 'yellow' : 'blue')
