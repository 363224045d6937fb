import type { AuditEvent } from '@tollgate/contract'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/audit.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import { TimeText } from '../../ui/display/time-text.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'
import classes from './changed-fields.module.css'
import { ChangedFields } from './changed-fields.tsx'

type Text = Words<typeof zh>

export const auditColumns = (text: Text): Column<AuditEvent>[] => [
  { key: 'time', title: text.time, width: 168, render: ({ created_at }) => <TimeText seconds={created_at} /> },
  {
    key: 'action',
    title: text.action,
    card: 'heading',
    render: ({ action }) => actionInWords(action, text),
  },
  { key: 'target', title: text.target, render: (event) => <Target {...event} /> },
  { key: 'changes', title: text.changes, render: (event) => <ChangedFields event={event} text={text} /> },
  {
    key: 'who',
    title: text.who,
    render: ({ actor_id, actor_name }) => (actor_id === 0 ? text.nobody : <Ellipsis text={actor_name} width={120} />),
  },
  { key: 'address', title: text.address, wide: true, render: ({ ip }) => ip || '—' },
]

/** `channel.update` in words; a word that this version does not know is shown as it is. */
const actionInWords = (action: string, { nouns, verbs }: Pick<Text, 'nouns' | 'verbs'>) => {
  const [noun = '', verb = ''] = action.split('.')
  return `${wordFor(noun, nouns)} · ${wordFor(verb, verbs)}`
}

const wordFor = (name: string, words: Record<string, string>) => (Object.hasOwn(words, name) ? words[name] : name)

/** By the name that it has today, above the number that never changes. */
function Target({ target, target_name, after }: AuditEvent) {
  if (target_name === '') return <TargetLink target={target} after={after} />
  return (
    <div className={classes.target}>
      <Ellipsis text={target_name} width={180} />
      <TargetLink target={target} after={after} />
    </div>
  )
}

function TargetLink({ target, after }: Pick<AuditEvent, 'target' | 'after'>) {
  const [noun = '', id = ''] = target.split(':')
  const shown = <Ellipsis text={target} width={180} mono />
  if (after === null || !/^\d+$/.test(id)) return shown
  if (noun === 'channel')
    return (
      <AnchorLink to="/channel/edit/$id" params={{ id }} inherit>
        {shown}
      </AnchorLink>
    )
  if (noun === 'user')
    return (
      <AnchorLink to="/user/edit/$id" params={{ id }} inherit>
        {shown}
      </AnchorLink>
    )
  return shown
}
