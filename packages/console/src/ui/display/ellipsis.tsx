import classes from './ellipsis.module.css'

/** One line of text that may be truncated; the tooltip has all of it. */
export function Ellipsis({ text, width = 220, mono = false }: { text: string; width?: number; mono?: boolean }) {
  return (
    // In a name that is written from right to left, the end is cut off as well.
    <bdi className={classes.ellipsis} data-mono={mono || undefined} style={{ maxWidth: width }} title={text}>
      {text}
    </bdi>
  )
}
