import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const running = promisify(execFile)

/** Runs a command as pasted into a terminal. */
export const inShell = (command: string) => running('sh', ['-c', command], { cwd: ROOT })

/** Runs code as a module; its imports are the packages of this repository. */
export const asModule = (code: string) => running(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT })
