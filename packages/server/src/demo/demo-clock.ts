import type { Clock } from '../common/clock.ts'

/** Moves through the past week while the history is created, then returns the real time. */
export interface DemoClock extends Clock {
  goTo(ms: number): void
  goHome(): void
}

export function createDemoClock(): DemoClock {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    monotonic: () => performance.now(),
    goTo(ms) {
      offset = ms - Date.now()
    },
    goHome() {
      offset = 0
    },
  }
}
