import { VisuallyHidden } from '@mantine/core'
import type { AuditEvent } from '@tollgate/contract'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/audit.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import classes from './changed-fields.module.css'

type Text = Words<typeof zh>

const SHOWN_MAX = 4

/** The fields of a change, each with its value before and after. Longer values have a tooltip. */
export function ChangedFields({ event: { before, after }, text }: { event: AuditEvent; text: Text }) {
  const names = Object.keys({ ...before, ...after })
  return (
    <dl className={classes.fields}>
      {names.slice(0, SHOWN_MAX).map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          {before !== null && <Value label={text.was} value={before[name]} none={text.none} />}
          {before !== null && after !== null && <span aria-hidden>→</span>}
          {after !== null && <Value label={text.is} value={after[name]} none={text.none} />}
        </div>
      ))}
      {names.length > SHOWN_MAX && (
        <dd title={names.slice(SHOWN_MAX).join(', ')}>{text.more(names.length - SHOWN_MAX)}</dd>
      )}
    </dl>
  )
}

function Value({ label, value, none }: { label: string; value: unknown; none: string }) {
  const words = typeof value === 'string' ? value : JSON.stringify(value ?? '')
  return (
    <dd>
      <VisuallyHidden component="span">{label} </VisuallyHidden>
      {words === '' || words === '""' ? none : <Ellipsis text={words} width={160} mono />}
    </dd>
  )
}
