import type { Books } from '../books.ts'
import type { Command, Result } from '../commands.ts'
import { apply } from '../reducer.ts'

/** Applies the commands one after the other. One that throws does not affect the others. */
export const runBatch = (books: Books, commands: readonly Command[]): (Result | Error)[] =>
  commands.map((command) => {
    try {
      return apply(books, command)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  })
