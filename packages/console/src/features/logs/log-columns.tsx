import { logTypeLabel } from '../../lib/labels.ts'
import type { useMoney } from '../../lib/money.tsx'
import { truncateName } from '../../lib/names.ts'
import { formatExact, formatNumber } from '../../lib/numbers.ts'
import type { Words } from '../../text/words.ts'
import type { zh as labelWords } from '../../text/zh/labels.ts'
import type { zh as logWords } from '../../text/zh/logs.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Ellipsis } from '../../ui/ellipsis.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import type { CallLog } from './call-log.ts'

interface Needs {
  text: Words<typeof logWords>
  labels: Words<typeof labelWords>
  money: ReturnType<typeof useMoney>
  /** Administrators see whose call it was and which channel answered. */
  everyone: boolean
}

export const logColumns = ({ text, labels, money, everyone }: Needs): Column<CallLog>[] => [
  { key: 'time', title: text.time, width: 166, render: ({ created_at }) => <TimeText seconds={created_at} /> },
  ...(everyone ? adminColumns(text) : []),
  {
    key: 'token',
    title: text.token,
    present: ({ token_name }) => token_name !== '',
    render: ({ token_name }) => <Ellipsis text={token_name} width={110} />,
  },
  {
    key: 'type',
    title: text.type,
    card: 'heading',
    render: ({ type }) => <StatusBadge {...logTypeLabel(type, labels)} />,
  },
  {
    key: 'model',
    title: text.model,
    present: ({ model_name }) => model_name !== '',
    render: ({ model_name }) => <Ellipsis text={model_name} width={150} mono />,
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
    // On a card the model says enough; the whole text is one tap away.
    present: ({ content, model_name }) => content !== '' && model_name === '',
    render: ({ content }) => <Ellipsis text={content} width={everyone ? 160 : 240} />,
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
