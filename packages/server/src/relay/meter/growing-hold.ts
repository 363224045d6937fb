import { ratesOf } from '../../catalog/prices.ts'
import { outputCosting } from '../../ledger/rounding.ts'
import type { Metering } from '../answer.ts'
import type { ActiveCall } from '../settlement.ts'
import { countInput } from './estimate.ts'
import { priceOfUsage } from './receipt.ts'

const PROGRESS_EVERY_MS = 2000
const NEARLY = 0.8

/**
 * Records progress now and then, and makes the hold larger before the answer outgrows it. False when the answer has
 * reached the end of what could be held. Each piece asks, so a comparison of two numbers has to answer nearly always.
 */
export function growingHold({ call, quote, hold }: ActiveCall, meter: Metering, now: () => number) {
  const input = countInput(call)
  const { factor, price } = quote
  const rates = ratesOf(price, input)
  const outputFor = (amount: number) => outputCosting(amount, input, rates, factor)
  const nearTheEnd = () => outputFor(Math.ceil(hold.amount() * NEARLY))
  let notedAt = now()
  let lookAt = nearTheEnd()
  let refused = false

  const extend = async (output: number) => {
    const used = priceOfUsage({ ...input, output }, quote)
    const grew = await hold.extend(Math.max(hold.amount(), used) * 2).catch(() => undefined)
    // The database is away: that is not the caller's fault, and the next pieces ask again.
    if (grew === undefined) lookAt = output * 2 + 1
    if (grew === true) lookAt = nearTheEnd()
    if (grew !== false) return true
    // What is held is the caller's to the last token.
    refused = true
    lookAt = outputFor(hold.amount())
    return output < lookAt
  }

  return (): boolean | Promise<boolean> => {
    const output = meter.counted()
    if (Math.abs(now() - notedAt) >= PROGRESS_EVERY_MS) {
      notedAt = now()
      void hold.progress(priceOfUsage({ ...input, output }, quote))
    }
    if (output < lookAt) return true
    return refused ? false : extend(output)
  }
}
