import type { Log } from '../common/log.ts'

/** By default the runtime ends the process, and with it every stream, because of one forgotten promise. It is logged instead. */
export const surviveUnhandledRejections = (log: Log) =>
  process.on('unhandledRejection', (error) => log.error('An error that nobody handled; please report it', { error }))
