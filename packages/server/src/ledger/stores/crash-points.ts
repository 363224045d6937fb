/*
 * Moments at which a process may die, by name. `TOLLGATE_CRASH_AT=after-hold:3` ends it there, at the third pass, as a
 * power cut would; the tests of recovery set it, nobody else does, and without it nothing happens.
 */

export type CrashPoint =
  | 'before-hold'
  | 'after-hold'
  | 'before-commit'
  | 'after-commit'
  | 'before-settle'
  | 'after-settle'

const [chosen, passes = '1'] = (process.env.TOLLGATE_CRASH_AT ?? '').split(':')
let left = Number(passes)

export const crashPoint = (name: CrashPoint) => {
  if (name !== chosen || --left > 0) return
  process.kill(process.pid, 'SIGKILL')
}
