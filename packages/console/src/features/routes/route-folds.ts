import type { RouteChannel, RouteLevel } from '@tollgate/contract'

/** Cards shown at first, of the first level, of each further one, and of all: a route may have hundreds of channels, and most calls end in the first level. */
export const SHOWN_OF_FIRST = 10
export const SHOWN_OF_LATER = 2
export const SHOWN_OF_ALL = 20

interface Folds {
  /** Levels that are shown whole. */
  isOpen: (level: RouteLevel, index: number) => boolean
  /** A channel that was moved or typed into stays in sight. */
  isTouched: (channel: number) => boolean
}

/** For each level the channels to show: those with the largest shares, in the order of the level. */
export const shownOf = (levels: readonly RouteLevel[], { isOpen, isTouched }: Folds): RouteChannel[][] => {
  let left = SHOWN_OF_ALL
  const first = Math.max(
    0,
    levels.findIndex(({ channels }) => channels.some(({ reason }) => reason === null)),
  )
  return levels.map((level, index) => {
    const { channels } = level
    const most = index === first ? SHOWN_OF_FIRST : SHOWN_OF_LATER
    // A button instead of one more card would save nothing.
    const folded = channels.length <= most + 1 ? channels.length : most
    const count = isOpen(level, index) ? channels.length : Math.min(folded, left)
    const largest = new Set(channels.toSorted((a, b) => b.share - a.share).slice(0, count))
    left = Math.max(0, left - largest.size)
    return channels.filter((channel) => largest.has(channel) || isTouched(channel.channel))
  })
}
