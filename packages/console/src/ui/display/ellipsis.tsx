import classes from './ellipsis.module.css'

/** One line of text that may be too long for its place; the whole stands in the tooltip. */
export function Ellipsis({ text, width = 220, mono = false }: { text: string; width?: number; mono?: boolean }) {
  return (
    <span className={classes.ellipsis} data-mono={mono || undefined} style={{ maxWidth: width }} title={text}>
      {text}
    </span>
  )
}
