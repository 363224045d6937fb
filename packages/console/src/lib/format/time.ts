const two = (value: number) => String(value).padStart(2, '0')

/** Seconds since the epoch → `2026-03-09 08:05:00`, in the reader's time zone. */
export const formatTimestamp = (seconds: number) => {
  const at = new Date(seconds * 1000)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

const PATTERN = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** The inverse of `formatTimestamp`; the time of day is optional. Undefined for invalid text. */
export const parseTimestamp = (text: string): number | undefined => {
  const parts = PATTERN.exec(text.trim())
  if (parts === null) return undefined
  const [year, month, day, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0))
  if (year === undefined || month === undefined || day === undefined) return undefined
  const at = new Date(year, month - 1, day, hours, minutes, seconds)
  // February 31 rolls over into March: then the text was not a valid date.
  const same = at.getMonth() === month - 1 && at.getDate() === day && at.getHours() === hours
  return same && (minutes ?? 0) < 60 && (seconds ?? 0) < 60 ? Math.floor(at.getTime() / 1000) : undefined
}

/** The name of a UTC offset: 480 → `UTC+8`, -210 → `UTC-3:30`. */
export const zoneName = (minutesAhead: number) => {
  const size = Math.abs(minutesAhead)
  if (size === 0) return 'UTC'
  const minutes = size % 60 === 0 ? '' : `:${two(size % 60)}`
  return `UTC${minutesAhead < 0 ? '-' : '+'}${Math.floor(size / 60)}${minutes}`
}

export const nowSeconds = () => Math.floor(Date.now() / 1000)
