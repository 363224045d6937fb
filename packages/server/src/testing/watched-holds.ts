import type { LedgerWriter } from '../ledger/stores/writer.ts'

/** A hold as it was created, with the amount that it grew to. */
export interface WatchedHold {
  id: string
  amount: number
  price: string
}

/** Remembers all holds: the books remove them when their calls are settled. */
export const watchHolds = (writer: LedgerWriter) => {
  const holds = new Map<string, WatchedHold>()
  const watched: LedgerWriter = {
    ...writer,
    async submit(command) {
      const result = await writer.submit(command)
      if (!result.ok || result.type !== 'held') return result
      const before = holds.get(command.id)
      if (command.type === 'hold')
        holds.set(command.id, { id: command.id, amount: command.amount, price: command.price })
      else if (command.type === 'extend' && before) before.amount = Math.max(before.amount, command.to)
      return result
    },
  }
  return { writer: watched, holds: () => [...holds.values()] }
}
