/*
 * Named points at which a process may die. `TOLLGATE_CRASH_AT=after-hold:3` ends it at the third pass, like a power cut; only
 * the recovery tests set it.
 */

export type CrashPoint =
  | 'before-hold'
  | 'after-hold'
  | 'before-commit'
  | 'after-commit'
  | 'before-settle'
  | 'after-settle'
  | 'accepted'

const [chosen, passes = '1'] = (process.env.TOLLGATE_CRASH_AT ?? '').split(':')
let left = Number(passes)

export const crashPoint = (name: CrashPoint) => {
  if (name !== chosen || --left > 0) return
  process.kill(process.pid, 'SIGKILL')
}
