import type { Command, Result } from '../commands.ts'

/** Runs a batch of commands in one transaction. A charge is not confirmed before it is durable. */
export interface LedgerStore {
  run(commands: readonly Command[]): Promise<(Result | Error)[]>
  close(): Promise<void>
}

/** The database does not answer. The outcome of the commands is unknown; running them again is harmless. */
export class LedgerUnavailable extends Error {}

/** The file was deleted or replaced, so writes are lost. This does not recover; nothing may be confirmed any more. */
export class LedgerReplaced extends LedgerUnavailable {}
