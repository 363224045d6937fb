import { Text } from '@mantine/core'
import { ALERT_KINDS, type AlertDestination, type AlertRule } from '@tollgate/contract'
import type { useMoney } from '../../lib/format/money.tsx'
import { formatExact } from '../../lib/format/numbers.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import { useContractText } from '../../text/contract-text.ts'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/alerts.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'

interface Needs {
  text: Words<typeof zh>
  money: ReturnType<typeof useMoney>
  destinations: readonly AlertDestination[]
}

export const ruleColumns = ({ text, money, destinations }: Needs): Column<AlertRule>[] => [
  { key: 'kind', title: text.kind, card: 'heading', render: ({ kind }) => <Ellipsis text={text.kinds[kind]} /> },
  { key: 'condition', title: text.condition, render: (rule) => conditionOf(rule, { text, money }) },
  {
    key: 'quiet',
    title: text.quiet,
    render: ({ quiet_minutes }) => text.quietText(Math.floor(quiet_minutes / 60), quiet_minutes % 60),
  },
  {
    key: 'destinations',
    title: text.destinations,
    render: ({ destinations: ids }) => {
      const names = destinations.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
      return names.length === 0 ? (
        <StatusBadge tone="warn" text={text.noDestination} />
      ) : (
        <Ellipsis text={names.join(', ')} />
      )
    },
  },
  { key: 'state', title: text.state, render: (rule) => <RuleState {...{ rule, text }} /> },
]

/** Firing subjects are listed below, newest first. */
function RuleState({ rule, text }: { rule: AlertRule; text: Words<typeof zh> }) {
  const contractText = useContractText()
  if (!rule.enabled) return <StatusBadge tone="off" text={text.off} />
  if (rule.firing === 0) return <StatusBadge tone="good" text={text.fine} />
  return (
    <>
      <StatusBadge tone="bad" text={text.firing(rule.firing)} />
      {rule.firing_now.map(({ title, since }) => (
        <Text key={`${title.zh}${since}`} size="xs" c="dimmed" title={formatTimestamp(since)}>
          {contractText(title)}
        </Text>
      ))}
    </>
  )
}

/** The threshold in its unit, and the minimum. */
function conditionOf({ kind, threshold, minimum }: AlertRule, { text, money }: Omit<Needs, 'destinations'>) {
  const facts = ALERT_KINDS[kind]
  const value = facts.threshold === 'quota' ? money.quota(threshold) : formatExact(threshold)
  const condition = text.conditions[facts.threshold](value)
  if (facts.minimum === 'none' || minimum === 0) return condition
  const least =
    facts.minimum === 'quota' ? text.atLeastQuota(money.quota(minimum)) : text.atLeastCalls(formatExact(minimum))
  return `${condition} · ${least}`
}
