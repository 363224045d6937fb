import { type Log, LogType } from '@tollgate/contract'

export type ExportFormat = 'csv' | 'jsonl'

interface Writer {
  type: string
  /** Written before the first entry. */
  head: string
  line(log: Log): string
}

const COLUMNS = [
  'id',
  'time',
  'created_at',
  'type',
  'user_id',
  'username',
  'token_name',
  'model_name',
  'channel',
  'prompt_tokens',
  'completion_tokens',
  'quota',
  'elapsed_time',
  'first_byte_time',
  'is_stream',
  'request_id',
  'content',
  'detail',
  'outcome',
  'calls',
] as const

/** Export formats: the time is written twice, as text and as a number. */
export const EXPORT_FORMATS: Record<ExportFormat, Writer> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    // The byte order mark tells Excel that this is UTF-8; without it Chinese is garbled.
    head: `\ufeff${COLUMNS.join(',')}\r\n`,
    line: (log) => {
      const fields = {
        ...log,
        time: isoTime(log.created_at),
        calls: callsOf(log),
        detail: log.detail === null ? '' : JSON.stringify(log.detail),
      }
      return `${COLUMNS.map((column) => cell(fields[column])).join(',')}\r\n`
    },
  },
  jsonl: {
    type: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (log) => `${JSON.stringify({ time: isoTime(log.created_at), ...log })}\n`,
  },
}

/** How many calls the usage figures count for an entry: identical refusals share one. */
function callsOf({ type, detail }: Log) {
  if (type !== LogType.consume && type !== LogType.failed) return 0
  return typeof detail?.count === 'number' ? detail.count : 1
}

/** A text that a spreadsheet would read as a formula gets a leading quote, which the spreadsheet hides. */
function cell(value: string | number | boolean) {
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function isoTime(seconds: number) {
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
