type Cell = string | number | null

/** A table as a file that spreadsheets open. The mark in front tells them that it is UTF-8. */
export const csvText = (rows: readonly (readonly Cell[])[]) =>
  `\ufeff${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`

/** A text that a spreadsheet would take for a formula gets a quote in front, which the spreadsheet does not show. */
function cellText(value: Cell) {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
