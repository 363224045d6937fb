import type { Clock } from '../common/clock.ts'
import type { OptionsService } from '../options/options-service.ts'

interface Needs {
  clock: Clock
  options: Pick<OptionsService, 'refresh'>
  /** Answers whether there are any rules at all. */
  evaluate(): Promise<boolean>
  /** Answers how many messages were due. */
  sendDue(): Promise<number>
}

/** So long a node without rules does not look for any; those that are made here wake it at once. */
const REST_MS = 600_000

/** Looks at every rule and sends what is due. Where there is neither, it rests, and costs nothing. */
export const createAlertsJob = ({ clock, options, evaluate, sendDue }: Needs) => {
  let restsSince: number | undefined
  return {
    isIdle: () => restsSince !== undefined && Math.abs(clock.now() - restsSince) < REST_MS,

    async look() {
      // A node that nobody calls may know an old name and address of the site.
      await options.refresh()
      const [anyRules, due] = [await evaluate(), await sendDue()]
      restsSince = anyRules || due > 0 ? undefined : clock.now()
    },

    /** A rule was made or changed on this node. Which one of all nodes looks at it does not matter. */
    wake() {
      restsSince = undefined
    },
  }
}
