import type { Clock } from '../common/clock.ts'
import type { OptionsService } from '../options/options-service.ts'

interface Needs {
  clock: Clock
  options: Pick<OptionsService, 'refresh'>
  /** Returns whether there are any rules. */
  evaluate(): Promise<boolean>
  /** Returns how many messages were due. */
  sendDue(): Promise<number>
}

/** A node without rules checks this rarely; rules created here wake it at once. */
const IDLE_CHECK_MS = 600_000

/** Evaluates every rule and sends due messages. Without either it stays idle and costs nothing. */
export const createAlertsJob = ({ clock, options, evaluate, sendDue }: Needs) => {
  let restsSince: number | undefined
  return {
    isIdle: () => restsSince !== undefined && Math.abs(clock.now() - restsSince) < IDLE_CHECK_MS,

    async run() {
      // An idle node may have an outdated name and address of the site.
      await options.refresh()
      const [anyRules, due] = [await evaluate(), await sendDue()]
      restsSince = anyRules || due > 0 ? undefined : clock.now()
    },

    /** A rule was created or changed on this node. Any node may evaluate it. */
    wake() {
      restsSince = undefined
    },
  }
}
