import { ratesOf } from '../../catalog/prices.ts'
import { outputCosting } from '../../ledger/rounding.ts'
import type { Metering } from '../answer.ts'
import type { ActiveCall } from '../settlement.ts'
import { countInput } from './estimate.ts'
import { priceOfUsage } from './receipt.ts'
import { inSoldUnits } from './sold-units.ts'

const PROGRESS_EVERY_MS = 2000
/** The share of the hold at which it is extended. */
const EXTEND_AT = 0.8

/**
 * Records progress now and then, and extends the hold before the answer exceeds it. It doubles while the balance allows, and then
 * takes smaller steps down to the rest; at its end it waits for what other processes have borrowed. Called for each chunk, so a comparison
 * of two numbers must suffice nearly always.
 */
export function growingHold({ call, quote, hold }: ActiveCall, meter: Metering, now: () => number) {
  const { factor, price } = quote
  const input = inSoldUnits(countInput(call), price)
  const bucket = meter.counts ?? 'output'
  // When text is billed by the character, the audio is included.
  const rates = input.characters > 0 ? { ...ratesOf(price, input), audioOutput: 0n } : ratesOf(price, input)
  const outputFor = (amount: number) => outputCosting(amount, input, rates, factor, bucket)
  const extensionPoint = () => outputFor(Math.ceil(hold.amount() * EXTEND_AT))
  let notedAt = now()
  let heldOutput = outputFor(hold.amount())
  let checkAt = extensionPoint()
  let stepMax = Number.MAX_SAFE_INTEGER
  let refused = false

  /** False when the balance is exhausted; undefined when it could not be determined. */
  const grow = async (wanted: number): Promise<boolean | undefined> => {
    for (let step = Math.min(wanted, stepMax); step >= 1; step = Math.floor(step / 2)) {
      const grew = await hold.extend(hold.amount() + step).catch(() => undefined)
      if (grew === false) continue
      heldOutput = outputFor(hold.amount())
      // When other calls release their holds, the steps grow again.
      stepMax = step * 2
      return grew
    }
    return false
  }

  const extend = async (output: number) => {
    const used = priceOfUsage({ ...input, [bucket]: output }, quote)
    let grew: boolean | undefined
    do grew = await grow(Math.max(hold.amount(), used) * 2 - hold.amount())
    while (grew === true && output >= heldOutput)
    // The database is down: that is not the caller's fault, and later chunks ask again.
    if (grew === undefined) checkAt = output * 2 + 1
    if (grew === true) checkAt = Math.max(extensionPoint(), Math.ceil((output + heldOutput) / 2))
    if (grew !== false) return true
    refused = true
    checkAt = heldOutput + 1
    return output < checkAt
  }

  /** The answer would end here. */
  const extendAtEnd = async (output: number) => {
    const used = priceOfUsage({ ...input, [bucket]: output }, quote)
    const to = Math.max(hold.amount(), used) + 1
    const grew = await hold.extend(to, { isLast: true }).catch(() => false)
    if (!grew) return false
    refused = false
    heldOutput = outputFor(hold.amount())
    return extend(output)
  }

  return {
    /** False when the answer has reached the end of what could be held. */
    isEnough(): boolean | Promise<boolean> {
      const output = meter.counted()
      if (Math.abs(now() - notedAt) >= PROGRESS_EVERY_MS) {
        notedAt = now()
        void hold.progress(priceOfUsage({ ...input, [bucket]: output }, quote))
      }
      if (output < checkAt) return true
      // The caller may use the hold to the last token, and an answer that ends there is complete.
      return refused ? extendAtEnd(output) : extend(output)
    },
    /** The output at which it has to be called again at the latest. */
    outputMax: () => Math.max(heldOutput, checkAt - 1),
  }
}
