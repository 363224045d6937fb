import { GatewayError } from '../common/errors.ts'

/** A row of a table, and the line of the file where it starts, from 1. */
export interface CsvRow {
  row: number
  cells: string[]
}

/** The byte order mark tells spreadsheets that this is UTF-8. */
const MARK = '\ufeff'
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

export const csvText = (rows: readonly (readonly string[])[]) =>
  `${MARK}${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`

/**
 * A text that a spreadsheet would read as a formula gets a leading quote; so does one that starts with a quote, so that
 * both can be read back.
 */
function cellText(value: string) {
  const text = (FORMULA.test(value) && !NUMBER.test(value)) || value.startsWith("'") ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const NUMBER = /^-\d+$/

/** Reads what spreadsheets write: quoted cells may contain commas, quotes and line breaks. Empty rows are skipped. */
export const parseCsv = (text: string): CsvRow[] => {
  const source = text.startsWith(MARK) ? text.slice(1) : text
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let line = 1
  let began = 1

  const endCell = () => {
    cells.push(cell.startsWith("'") ? cell.slice(1) : cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (cells.some((text) => text.trim() !== '')) rows.push({ row: began, cells })
    cells = []
  }

  for (let at = 0; at < source.length; at++) {
    const letter = source[at]
    if (letter === '\n') line++
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (source[at + 1] === '"') cell += source[++at]
      else quoted = false
    } else if (letter === '"' && cell === '') quoted = true
    else if (letter === ',') endCell()
    else if (letter === '\n') {
      endRow()
      began = line
    } else if (letter !== '\r' || source[at + 1] !== '\n') cell += letter
  }
  if (quoted) throw new GatewayError('channel.file_quote', { row: began })
  if (cell !== '' || cells.length > 0) endRow()
  return rows
}
