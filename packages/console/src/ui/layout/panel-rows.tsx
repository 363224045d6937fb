import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './panel-rows.module.css'

/** The list of a flush panel. With `quiet`, links look like the text around them until they are pointed at. */
export function PanelRows({ quiet = false, children }: { quiet?: boolean; children: ReactNode }) {
  return (
    <ul className={classes.rows} data-quiet-links={quiet || undefined}>
      {children}
    </ul>
  )
}

interface PanelRowProps {
  name: ReactNode
  /** A name on one line is cut; this is the whole one, for the pointer. */
  title?: string
  mono?: boolean
  wraps?: boolean
  /** An amount or a badge beside the name. */
  side?: ReactNode
  sideTitle?: string | undefined
  /** Dimmed, below the name and below the side. */
  under?: ReactNode
  underSide?: ReactNode
  /** Notes below, each on a line of the whole width. */
  children?: ReactNode
}

export function PanelRow({ name, title, mono, wraps, side, sideTitle, under, underSide, children }: PanelRowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.name} data-mono={mono || undefined} data-wraps={wraps || undefined} title={title}>
        {name}
      </span>
      <span className={classes.side} title={sideTitle}>
        {side}
      </span>
      {under !== undefined && <span className={classes.under}>{under}</span>}
      {underSide !== undefined && <span className={classes.under}>{underSide}</span>}
      {children}
    </li>
  )
}

interface PanelNoteProps {
  text: string
  wraps?: boolean
  /** Where the text leads. */
  link?: (text: string) => ReactNode
}

/** A line below a row; with `wraps` up to three. */
export function PanelNote({ text, wraps = false, link }: PanelNoteProps) {
  return (
    <span className={classes.note} data-wraps={wraps || undefined} title={text}>
      {link === undefined ? text : link(text)}
    </span>
  )
}

export function SkeletonRows() {
  return (
    <div aria-busy="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={12} width="60%" my={4} />
          <Skeleton height={12} width={72} my={4} />
        </div>
      ))}
    </div>
  )
}
