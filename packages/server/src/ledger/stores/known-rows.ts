import { type Books, emptyBooks, isSettled } from '../books.ts'

/** Above this all are read again: a server with many callers must not keep every account in memory. */
const KNOWN_MAX = 20_000

/**
 * The rows of the books as the last transactions of one connection left them. They are valid until another connection commits,
 * or a transaction of this one fails; then their owner forgets them, and all are read again.
 */
export const createKnownRows = () => {
  let known = noRows()

  const forget = () => {
    known = noRows()
  }

  return {
    /** The books of the next batch. */
    open(): Books {
      const { users, tokens, holds } = known
      if (users.size + tokens.size + holds.size > KNOWN_MAX) forget()
      return { ...emptyBooks(), ...known }
    },

    /** The batch is committed. */
    keep({ changed }: Books) {
      for (const ids of [changed.newHolds, changed.holds]) {
        for (const id of ids) {
          const hold = known.holds.get(id)
          if (hold !== undefined && isSettled(hold)) known.holds.delete(id)
        }
      }
    },

    /** Rows may differ from what is stored. */
    forget,
  }
}

function noRows() {
  const { users, tokens, holds, budgets, living } = emptyBooks()
  return { users, tokens, holds, budgets, living }
}
