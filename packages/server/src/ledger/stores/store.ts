import type { Command, Result } from '../commands.ts'

/** Runs a batch of commands in one transaction. A charge is not answered before it is durable. */
export interface LedgerStore {
  run(commands: readonly Command[]): Promise<(Result | Error)[]>
  close(): Promise<void>
}

/** The database does not answer. What became of the commands is not known; to run them again is harmless. */
export class LedgerUnavailable extends Error {}

/** What is written is in a file that nobody will find again. It does not come back; nothing must be promised any more. */
export class LedgerReplaced extends LedgerUnavailable {}
