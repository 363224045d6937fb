import type { RouteChannel, RouteLevel } from '@tollgate/contract'

/** Cards shown at first, of one level and of all: a route may have hundreds of channels, and calls reach the first levels. */
export const SHOWN_OF_LEVEL = 10
export const SHOWN_OF_ALL = 40

interface Folds {
  /** Levels that are shown whole. */
  isOpen: (level: RouteLevel, index: number) => boolean
  /** A channel that was moved or typed into stays in sight. */
  isTouched: (channel: number) => boolean
}

/** For each level the channels to show: those with the largest shares, in the order of the level. */
export const shownOf = (levels: readonly RouteLevel[], { isOpen, isTouched }: Folds): RouteChannel[][] => {
  let left = SHOWN_OF_ALL
  return levels.map((level, index) => {
    const { channels } = level
    const count = isOpen(level, index) ? channels.length : Math.min(SHOWN_OF_LEVEL, left)
    const largest = new Set(channels.toSorted((a, b) => b.share - a.share).slice(0, count))
    left = Math.max(0, left - largest.size)
    return channels.filter((channel) => largest.has(channel) || isTouched(channel.channel))
  })
}
