import type { Tone } from '../../lib/format/labels.ts'
import classes from './status-badge.module.css'

/** A dot and a word. The word carries the meaning; the colour repeats it. */
export function StatusBadge({ tone, text, title }: { tone: Tone; text: string; title?: string }) {
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      {text}
    </span>
  )
}
