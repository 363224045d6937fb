import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const running = promisify(execFile)

/** Runs what somebody would paste into a terminal. */
export const inShell = (command: string) => running('sh', ['-c', command], { cwd: ROOT })

/** Runs what somebody would save as a module; the packages that it imports are those of this repository. */
export const asModule = (code: string) => running(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT })
