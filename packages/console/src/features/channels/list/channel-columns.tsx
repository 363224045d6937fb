import { type Channel, channelType, commaList } from '@tollgate/contract'
import type { useMoney } from '../../../lib/format/money.tsx'
import { formatNumber } from '../../../lib/format/numbers.ts'
import type { Words } from '../../../text/words.ts'
import type { zh as listWords } from '../../../text/zh/channel-list.ts'
import type { zh } from '../../../text/zh/channels.ts'
import { ChannelTypeLabel } from '../../../ui/display/channel-type-label.tsx'
import { GroupTags } from '../../../ui/display/group-tags.tsx'
import type { Column } from '../../../ui/table/data-table-props.ts'
import type { useChangeChannel } from '../queries.ts'
import { BalanceButton } from './balance-button.tsx'
import classes from './channel-columns.module.css'
import { ChannelStatusCell } from './channel-status-cell.tsx'
import { CHOICES, type Choice } from './channel-view.ts'
import { InlineNumber } from './inline-number.tsx'
import { ModelListMark } from './model-list-mark.tsx'
import { ResponseTimeText } from './response-time-text.tsx'
import { TestModelSelect } from './test-model-select.tsx'
import { UnpricedMark } from './unpriced-mark.tsx'

interface Needs {
  text: Words<typeof zh>
  words: Words<typeof listWords>
  choices: ReadonlySet<Choice>
  money: ReturnType<typeof useMoney>
  /** Undefined while they are not known. */
  outcomes: ReadonlyMap<number, { failed: number; calls: number }> | undefined
  onChange: ReturnType<typeof useChangeChannel>['mutate']
}

/** The chosen columns and the fixed ones. */
export const channelColumns = (needs: Needs): Column<Channel>[] =>
  allColumns(needs).filter(({ key }) => !isChoice(key) || needs.choices.has(key))

const isChoice = (key: string): key is Choice => (CHOICES as readonly string[]).includes(key)

const allColumns = ({ text, words, money, outcomes, onChange }: Needs): Column<Channel>[] => [
  { key: 'id', title: text.id, width: 1, render: ({ id }) => id },
  {
    key: 'name',
    title: text.name,
    card: 'heading',
    render: ({ id, name, unpriced, key_count, model_list }) => (
      <span className={classes.named}>
        <span className={classes.name} title={name}>
          {name || text.nameless}
        </span>
        {key_count > 0 && <span className={classes.keys}>{text.keysOf(formatNumber(key_count))}</span>}
        {unpriced.length > 0 && <UnpricedMark models={unpriced} />}
        {model_list !== null && <ModelListMark id={id} news={model_list} />}
      </span>
    ),
  },
  { key: 'group', title: text.group, render: ({ group }) => <GroupTags group={group} /> },
  {
    key: 'type',
    title: text.type,
    render: ({ type }) => (
      <span className={classes.type}>
        <ChannelTypeLabel type={type} />
      </span>
    ),
  },
  {
    key: 'status',
    title: text.status,
    render: (channel) => (
      <ChannelStatusCell channel={channel} onToggle={(status) => onChange({ id: channel.id, status })} />
    ),
  },
  {
    key: 'tag',
    title: text.tag,
    present: ({ tag }) => tag !== '',
    render: ({ tag }) => (
      <span className={classes.name} title={tag}>
        {tag}
      </span>
    ),
  },
  {
    key: 'models',
    title: words.choices.models,
    align: 'right',
    render: ({ models }) => <span title={models}>{formatNumber(commaList(models).length)}</span>,
  },
  {
    key: 'failures',
    title: words.choices.failures,
    align: 'right',
    present: ({ id }) => outcomes?.has(id) === true,
    render: ({ id }) => <Failures outcome={outcomes?.get(id)} text={words} />,
  },
  {
    key: 'response',
    title: text.response,
    align: 'right',
    render: (channel) => <ResponseTimeText channel={channel} />,
  },
  {
    key: 'balance',
    title: text.balance,
    align: 'right',
    present: ({ type }) => channelType(type)?.balance !== undefined,
    render: (channel) => <BalanceButton channel={channel} />,
  },
  {
    key: 'usedQuota',
    title: words.choices.usedQuota,
    align: 'right',
    render: ({ used_quota }) => <span title={money.explained(used_quota)}>{money.quota(used_quota)}</span>,
  },
  {
    key: 'priority',
    title: text.priority,
    align: 'right',
    render: ({ id, name, priority }) => (
      <InlineNumber
        label={text.priorityOf(name)}
        value={priority}
        onSave={(value) => onChange({ id, priority: value })}
      />
    ),
  },
  {
    key: 'weight',
    title: text.weight,
    align: 'right',
    render: ({ id, name, weight }) => (
      <InlineNumber
        label={text.weightOf(name)}
        value={weight}
        min={0}
        onSave={(value) => onChange({ id, weight: value })}
      />
    ),
  },
  {
    key: 'testModel',
    title: text.testModel,
    // The form has it as well.
    wide: true,
    render: (channel) => (
      <TestModelSelect channel={channel} onChange={(test_model) => onChange({ id: channel.id, test_model })} />
    ),
  },
]

interface FailuresProps {
  outcome: { failed: number; calls: number } | undefined
  text: Words<typeof listWords>
}

function Failures({ outcome, text }: FailuresProps) {
  if (outcome === undefined) return null
  const { failed, calls } = outcome
  return <span title={text.failuresHelp}>{text.failuresOf(formatNumber(failed), formatNumber(calls))}</span>
}
