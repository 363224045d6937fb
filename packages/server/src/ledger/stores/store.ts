import { LASTING } from '../books.ts'
import type { Command, Result } from '../commands.ts'

/** Results of a batch, in the order of its commands. */
export type Results = (Result | Error)[]

/** Runs a batch of commands in one transaction. A charge is not confirmed before it is durable. */
export interface LedgerStore {
  /** `onDecided` is called when the results are known before they are on disk: the next batch may be run then. */
  run(commands: readonly Command[], onDecided?: (results: Results) => void): Promise<Results>
  close(): Promise<void>
}

/**
 * What has to be on disk before it is confirmed. A hold and progress need not be: they survive a killed process, and if a power cut takes a hold,
 * its call ends with it, or is charged without one.
 */
export const mustBeOnDisk = (command: Command) =>
  command.type === 'settle' || command.type === 'sweep' || isLasting(command)

/** A lasting hold outlives this process. */
export const isLasting = (command: Command) => command.type === 'hold' && command.epoch === LASTING

/** The database does not answer. The outcome of the commands is unknown; running them again is harmless. */
export class LedgerUnavailable extends Error {}

/** The file was deleted or replaced, so writes are lost. This does not recover; nothing may be confirmed any more. */
export class LedgerReplaced extends LedgerUnavailable {}
