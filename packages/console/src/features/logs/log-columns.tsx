import { LogType } from '@tollgate/contract'
import { formatMs } from '../../lib/format/format-ms.ts'
import { logTypeLabel, outcomeLabel } from '../../lib/format/labels.ts'
import type { useMoney } from '../../lib/format/money.tsx'
import { truncateName } from '../../lib/format/names.ts'
import { formatExact, formatNumber } from '../../lib/format/numbers.ts'
import type { Words } from '../../text/words.ts'
import type { zh as labelWords } from '../../text/zh/labels.ts'
import type { zh as logWords } from '../../text/zh/logs.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TimeText } from '../../ui/display/time-text.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'
import { type CallLog, channelNameOf, errorOf, retriesOf } from './call-log.ts'
import { LogNote } from './log-note.tsx'
import type { Choice } from './log-view.ts'
import classes from './logs-page.module.css'

interface Needs {
  text: Words<typeof logWords>
  labels: Words<typeof labelWords>
  money: ReturnType<typeof useMoney>
  /** Administrators see whose call it was and which channel answered. */
  everyone: boolean
  choices: ReadonlySet<Choice>
  /** The type that the list is filtered by. */
  type: number | undefined
}

export const logColumns = ({ text, labels, money, everyone, choices, type }: Needs): Column<CallLog>[] => {
  const all: (Column<CallLog> & { key: Choice | 'time' | 'model' | 'type' })[] = [
    { key: 'time', title: text.time, render: ({ created_at }) => <TimeText seconds={created_at} /> },
    {
      key: 'channel',
      title: text.channel,
      present: ({ channel }) => channel !== 0,
      render: (log) => log.channel !== 0 && <ChannelOf log={log} />,
    },
    {
      key: 'user',
      title: text.user,
      present: ({ username }) => username !== '',
      render: ({ username }) => <Ellipsis text={truncateName(username)} whole={username} width={120} />,
    },
    {
      key: 'token',
      title: text.token,
      present: ({ token_name }) => token_name !== '',
      render: ({ token_name }) => <Ellipsis text={token_name} width={96} />,
    },
    {
      key: 'model',
      title: text.model,
      card: 'heading',
      present: ({ model_name }) => model_name !== '',
      render: ({ model_name }) => <Ellipsis text={model_name} width={150} mono />,
    },
    {
      key: 'type',
      title: text.type,
      card: 'heading',
      render: ({ type }) => <StatusBadge {...logTypeLabel(type, labels)} />,
    },
    {
      key: 'outcome',
      title: text.outcome,
      present: ({ outcome }) => outcome !== '',
      render: ({ outcome }) => outcome !== '' && <StatusBadge {...outcomeLabel(outcome, labels)} />,
    },
    {
      key: 'stream',
      title: text.panel.stream,
      present: isCall,
      render: (log) => isCall(log) && (log.is_stream ? text.panel.streamed : text.panel.whole),
    },
    { ...tokensColumn('prompt_tokens'), key: 'prompt', title: text.prompt },
    { ...tokensColumn('completion_tokens'), key: 'completion', title: text.completion },
    { ...timeColumn('elapsed_time'), key: 'elapsed', title: text.choices.elapsed },
    { ...timeColumn('first_byte_time'), key: 'firstByte', title: text.choices.firstByte },
    {
      key: 'retries',
      title: text.choices.retries,
      align: 'right',
      present: (log) => retriesOf(log) > 0,
      render: (log) => retriesOf(log) > 0 && formatExact(retriesOf(log)),
    },
    {
      key: 'quota',
      title: text.quota,
      align: 'right',
      // An answered call may have been free.
      present: (log) => log.quota !== 0 || isAnswered(log),
      render: (log) =>
        (log.quota !== 0 || isAnswered(log)) && (
          <span title={money.explained(log.quota)}>{money.quota(log.quota, 'fine')}</span>
        ),
    },
    {
      key: 'requestId',
      title: text.requestId,
      present: ({ request_id }) => request_id !== '',
      render: ({ request_id }) => <Ellipsis text={request_id} width={120} mono />,
    },
    {
      key: 'detail',
      title: text.detail,
      // The price breakdown is one tap away; errors are shown here.
      present: (log) => log.content !== '' && (log.model_name === '' || errorOf(log) !== undefined),
      render: (log) => (
        <LogNote
          content={log.content}
          error={errorOf(log)}
          count={log.detail?.count}
          whole={choices.has('wholeDetail')}
        />
      ),
    },
  ]
  const isShown = (key: Choice) =>
    choices.has(key) && (everyone || !ADMIN_ONLY.has(key)) && !(type === LogType.failed && UNPAID.has(key))
  return all.filter(({ key }) => isFixed(key) || isShown(key))
}

/** The name takes the room that there is; the number is what filters take. */
function ChannelOf({ log }: { log: CallLog }) {
  const name = channelNameOf(log)
  return (
    <span className={classes.channel} title={name === undefined ? undefined : `${name} #${log.channel}`}>
      {name !== undefined && <bdi className={classes.channelName}>{name}</bdi>} #{log.channel}
    </span>
  )
}

const isFixed = (key: string): key is 'time' | 'model' | 'type' => key === 'time' || key === 'model' || key === 'type'

const ADMIN_ONLY: ReadonlySet<Choice> = new Set(['channel', 'user'])

/** Empty for each failed call: a list of these has more room for their errors. */
const UNPAID: ReadonlySet<Choice> = new Set(['prompt', 'completion', 'quota'])

const isAnswered = ({ type }: CallLog) => type === LogType.consume

const isCall = ({ outcome, elapsed_time }: CallLog) => outcome !== '' || elapsed_time > 0

function timeColumn(field: 'elapsed_time' | 'first_byte_time') {
  return {
    align: 'right' as const,
    present: (log: CallLog) => log[field] !== 0,
    render: (log: CallLog) => log[field] !== 0 && <span className={classes.duration}>{formatMs(log[field])}</span>,
  }
}

function tokensColumn(field: 'prompt_tokens' | 'completion_tokens') {
  return {
    align: 'right' as const,
    present: (log: CallLog) => log[field] !== 0,
    render: (log: CallLog) =>
      log[field] !== 0 && <span title={formatExact(log[field])}>{formatNumber(log[field])}</span>,
  }
}
