import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import classes from './log-note.module.css'

interface LogNoteProps {
  content: string
  error: string | undefined
  /** The number of calls sharing the entry. */
  count: number | undefined
  /** In full, however long it is. */
  whole: boolean
}

/** An error takes two lines; a price breakdown is small and short. The whole text is in the tooltip and the panel. */
export function LogNote({ content, error, count = 1, whole }: LogNoteProps) {
  const text = useText(logsText)
  const note = error ?? content
  return (
    <span
      className={classes.note}
      data-error={error !== undefined || undefined}
      data-whole={whole || undefined}
      title={note}
    >
      {count > 1 && <b className={classes.count}>{text.times(count)}</b>}
      {note}
    </span>
  )
}
