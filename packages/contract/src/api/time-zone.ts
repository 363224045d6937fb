import { z } from 'zod'

/** Whether this machine knows the time zone: `Asia/Shanghai`, `UTC`. */
const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const timeZone = z.string().max(64).refine(isTimeZone, { error: 'input.zone' })
