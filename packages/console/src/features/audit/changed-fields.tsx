import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { AuditEvent } from '@tollgate/contract'
import { useState } from 'react'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/audit.ts'
import classes from './changed-fields.module.css'
import { useValueInWords } from './changed-value.ts'
import { differingPart } from './differing-part.ts'

type Text = Words<typeof zh>

const SHOWN_MAX = 4
/** More is cut off in the column. */
const LENGTH_MAX = 22

/** The fields of a change, each with its value before and after; where something is cut off, all of it on demand. */
export function ChangedFields({ event: { before, after }, text }: { event: AuditEvent; text: Text }) {
  const inWords = useValueInWords()
  const [opened, setOpened] = useState(false)
  const fields = Object.keys({ ...before, ...after }).map((name) => {
    const [was, is] = [inWords(name, before?.[name]), inWords(name, after?.[name])]
    const [shownWas, shownIs] = before === null || after === null ? [was, is] : differingPart(was, is)
    return { name, was, is, shownWas: opened ? was : shownWas, shownIs: opened ? is : shownIs }
  })
  const shown = opened ? fields : fields.slice(0, SHOWN_MAX)
  const isCut =
    fields.length > SHOWN_MAX || fields.some((field) => Math.max(field.was.length, field.is.length) > LENGTH_MAX)
  return (
    <>
      <ul className={classes.fields} data-opened={opened || undefined}>
        {shown.map(({ name, was, is, shownWas, shownIs }) => (
          <li key={name}>
            <b>{name}</b>
            {before !== null && <Value label={text.was} whole={was} shown={shownWas || text.none} />}
            {before !== null && after !== null && <span aria-hidden>→</span>}
            {after !== null && <Value label={text.is} whole={is} shown={shownIs || text.none} />}
          </li>
        ))}
      </ul>
      {isCut && (
        <UnstyledButton className={classes.more} aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {opened ? text.less : fields.length > SHOWN_MAX ? text.more(fields.length - SHOWN_MAX) : text.whole}
        </UnstyledButton>
      )}
    </>
  )
}

function Value({ label, whole, shown }: { label: string; whole: string; shown: string }) {
  return (
    <span className={classes.value} title={whole}>
      <VisuallyHidden component="span">{label} </VisuallyHidden>
      {shown}
    </span>
  )
}
