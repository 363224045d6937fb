import { VisuallyHidden } from '@mantine/core'
import type { AuditEvent } from '@tollgate/contract'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/audit.ts'
import classes from './changed-fields.module.css'
import { differingPart } from './differing-part.ts'

type Text = Words<typeof zh>

const SHOWN_MAX = 4

/** The fields of a change, each with its value before and after. Longer values have a tooltip. */
export function ChangedFields({ event: { before, after }, text }: { event: AuditEvent; text: Text }) {
  const names = Object.keys({ ...before, ...after })
  return (
    <ul className={classes.fields}>
      {names.slice(0, SHOWN_MAX).map((name) => {
        const [was, is] = [inWords(before?.[name]), inWords(after?.[name])]
        const [shownWas, shownIs] = before === null || after === null ? [was, is] : differingPart(was, is)
        return (
          <li key={name}>
            <b>{name}</b>
            {before !== null && <Value label={text.was} whole={was} shown={shownWas || text.none} />}
            {before !== null && after !== null && <span aria-hidden>→</span>}
            {after !== null && <Value label={text.is} whole={is} shown={shownIs || text.none} />}
          </li>
        )
      })}
      {names.length > SHOWN_MAX && (
        <li title={names.slice(SHOWN_MAX).join(', ')}>{text.more(names.length - SHOWN_MAX)}</li>
      )}
    </ul>
  )
}

const inWords = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '')

function Value({ label, whole, shown }: { label: string; whole: string; shown: string }) {
  return (
    <span className={classes.value} title={whole}>
      <VisuallyHidden component="span">{label} </VisuallyHidden>
      {shown}
    </span>
  )
}
