import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** What a thread of the runtime opens, and the connections that may be accepted while it starts. */
const PER_THREAD = 64

/** The runtime ends the whole process when there are no file descriptors for a thread that is started, so this is tried first. */
export const canStartThread = () => {
  const opened: number[] = []
  try {
    while (opened.length < PER_THREAD) opened.push(openSync(devNull, 'r'))
    return true
  } catch (error) {
    return !isOutOfFiles(error)
  } finally {
    for (const file of opened) closeSync(file)
  }
}

/** The process, or the whole system, cannot open another file. */
export const isOutOfFiles = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
