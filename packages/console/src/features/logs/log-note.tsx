import classes from './log-note.module.css'

/** An error takes two lines; how a price came about is small, and short. The whole is in the tooltip and the panel. */
export function LogNote({ content, error }: { content: string; error: string | undefined }) {
  const note = error ?? content
  return (
    <span className={classes.note} data-error={error !== undefined || undefined} title={note}>
      {note}
    </span>
  )
}
