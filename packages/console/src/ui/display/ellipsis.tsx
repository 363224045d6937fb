import classes from './ellipsis.module.css'

/** One line of text that may be truncated; the tooltip has all of it. */
export function Ellipsis({ text, width = 220, mono = false }: { text: string; width?: number; mono?: boolean }) {
  return (
    <span className={classes.ellipsis} data-mono={mono || undefined} style={{ maxWidth: width }} title={text}>
      {text}
    </span>
  )
}
