import { formatTimestamp } from '../../lib/format/time.ts'

/** A time as `YYYY-MM-DD HH:mm:ss`, or `otherwise` for 0 and below, which mean "never" on the wire. */
export function TimeText({ seconds, otherwise = '—' }: { seconds: number; otherwise?: string }) {
  if (seconds <= 0) return <span>{otherwise}</span>
  return <time dateTime={new Date(seconds * 1000).toISOString()}>{formatTimestamp(seconds)}</time>
}
