import { logTypeLabel } from '../../lib/labels.ts'
import type { useMoney } from '../../lib/money.tsx'
import { truncateName } from '../../lib/names.ts'
import { formatExact, formatNumber } from '../../lib/numbers.ts'
import type { Words } from '../../text/words.ts'
import type { zh as labelWords } from '../../text/zh/labels.ts'
import type { zh as logWords } from '../../text/zh/logs.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TimeText } from '../../ui/display/time-text.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'
import type { CallLog } from './call-log.ts'
import { LogNote } from './log-note.tsx'

interface Needs {
  text: Words<typeof logWords>
  labels: Words<typeof labelWords>
  money: ReturnType<typeof useMoney>
  /** Administrators see whose call it was and which channel answered. */
  everyone: boolean
}

export const logColumns = ({ text, labels, money, everyone }: Needs): Column<CallLog>[] => [
  { key: 'time', title: text.time, render: ({ created_at }) => <TimeText seconds={created_at} /> },
  ...(everyone ? adminColumns(text) : []),
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
  { ...tokensColumn('prompt_tokens'), key: 'prompt', title: text.prompt },
  { ...tokensColumn('completion_tokens'), key: 'completion', title: text.completion },
  {
    key: 'quota',
    title: text.quota,
    align: 'right',
    present: ({ quota }) => quota !== 0,
    render: ({ quota }) => quota !== 0 && <span title={money.explained(quota)}>{money.quota(quota)}</span>,
  },
  {
    key: 'detail',
    title: text.detail,
    // How the price came about is one tap away; what went wrong is said here.
    present: ({ content, model_name, detail }) => content !== '' && (model_name === '' || detail?.error !== undefined),
    render: ({ content, detail }) => <LogNote content={content} error={detail?.error} />,
  },
]

function adminColumns(text: Words<typeof logWords>): Column<CallLog>[] {
  return [
    {
      key: 'channel',
      title: text.channel,
      present: ({ channel }) => channel !== 0,
      render: ({ channel }) => channel !== 0 && `#${channel}`,
    },
    {
      key: 'user',
      title: text.user,
      present: ({ username }) => username !== '',
      render: ({ username }) => <span title={username}>{truncateName(username)}</span>,
    },
  ]
}

function tokensColumn(field: 'prompt_tokens' | 'completion_tokens') {
  return {
    align: 'right' as const,
    present: (log: CallLog) => log[field] !== 0,
    render: (log: CallLog) =>
      log[field] !== 0 && <span title={formatExact(log[field])}>{formatNumber(log[field])}</span>,
  }
}
