/* The results, one line per program and channel. */

export interface Row {
  who: string
  channel: string
  step: string
  seconds?: number
  fault?: string
  /** Why it was not tried. */
  notRun?: string
}

export const shownTable = (rows: readonly Row[]) => {
  const lines = new Map<string, Row[]>()
  for (const row of rows) {
    const name = `${row.who} over ${row.channel}`
    lines.set(name, [...(lines.get(name) ?? []), row])
  }
  const width = Math.max(0, ...[...lines.keys()].map((name) => name.length))
  const table = [...lines].map(([name, cells]) => `${name.padEnd(width)}  ${cells.map(cellOf).join('  ')}`)
  const faults = rows.filter(({ fault }) => fault !== undefined)
  const explained = faults.map(({ who, channel, step, fault }) => `\n${who} over ${channel}, ${step}:\n  ${fault}`)
  const count = (what: string, found: number) => `${found} ${what}`
  const notRun = rows.filter((row) => row.notRun !== undefined).length
  const sum = [
    count('worked', rows.length - faults.length - notRun),
    count('failed', faults.length),
    count('not run', notRun),
  ].join(', ')
  return ['', ...table, ...explained, '', sum].join('\n')
}

function cellOf({ step, seconds, fault, notRun }: Row) {
  if (notRun !== undefined) return `not run: ${notRun}`
  const time = seconds === undefined ? '' : ` ${seconds.toFixed(1)} s`
  return `${step} ${fault === undefined ? 'ok' : 'FAILED'}${time}`
}
