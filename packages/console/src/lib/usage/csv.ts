type Cell = string | number | null

/** A table as a file for spreadsheets. The byte order mark tells them that it is UTF-8. */
export const csvText = (rows: readonly (readonly Cell[])[]) =>
  `\ufeff${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`

/** A text that a spreadsheet would read as a formula gets a leading quote, which the spreadsheet hides. */
function cellText(value: Cell) {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
