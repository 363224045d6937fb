import classes from './ellipsis.module.css'

interface EllipsisProps {
  text: string
  /** All of it, where the text is already shortened. */
  whole?: string
  width?: number
  mono?: boolean
}

/** One line of text that may be truncated; the tooltip has all of it. */
export function Ellipsis({ text, whole = text, width = 220, mono = false }: EllipsisProps) {
  return (
    // In a name that is written from right to left, the end is cut off as well.
    <bdi className={classes.ellipsis} data-mono={mono || undefined} style={{ maxWidth: width }} title={whole}>
      {text}
    </bdi>
  )
}
