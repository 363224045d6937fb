import type { ModelList, Text } from '@tollgate/contract'
import { formatExact } from '../../../lib/format/numbers.ts'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/model-lists.ts'
import { Ellipsis } from '../../../ui/display/ellipsis.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { TimeText } from '../../../ui/display/time-text.tsx'
import { Hint } from '../../../ui/feedback/hint.tsx'
import { AnchorLink } from '../../../ui/layout/links.tsx'
import type { Column } from '../../../ui/table/data-table-props.ts'

const NAMED_MAX = 20

export const modelListColumns = (text: Words<typeof zh>, inLanguage: (words: Text) => string): Column<ModelList>[] => [
  {
    key: 'channel',
    title: text.channel,
    card: 'heading',
    render: ({ id, name }) => (
      <AnchorLink to="/channel/edit/$id" params={{ id: String(id) }}>
        {name}
      </AnchorLink>
    ),
  },
  {
    key: 'added',
    title: text.added,
    present: ({ added }) => added.length > 0,
    render: ({ added }) => <Names models={added} text={text} />,
  },
  {
    key: 'missing',
    title: text.missing,
    present: ({ missing }) => missing.length > 0,
    render: ({ missing }) => <Names models={missing} text={text} />,
  },
  {
    key: 'looked',
    title: text.lookedAt,
    render: ({ looked_at, error }) =>
      error === null ? (
        <TimeText seconds={looked_at} />
      ) : (
        <Hint label={inLanguage(error)}>
          <StatusBadge tone="warn" text={text.failed} />
        </Hint>
      ),
  },
]

function Names({ models, text }: { models: readonly { model: string }[]; text: Words<typeof zh> }) {
  if (models.length === 0) return '—'
  const names = models.slice(0, NAMED_MAX).map(({ model }) => model)
  return <Ellipsis text={text.named(formatExact(models.length), names.join(text.comma))} />
}
