import { isJson, RATIO_MAX, ratioTable } from '@tollgate/contract'
import { readNumber } from '../../../lib/forms/number-text.ts'

export interface RatioRow {
  name: string
  ratio: number
}

/** The rows of a ratio option; undefined for invalid text. */
export function ratioRows(text: string): RatioRow[] | undefined {
  const { data } = ratioTable.safeParse(text)
  return data && [...data].map(([name, ratio]) => ({ name, ratio }))
}

/** One name per line, formatted for people. A name like `constructor` is just a name. */
export function ratioText(rows: readonly RatioRow[]) {
  if (rows.length === 0) return '{}'
  const lines = rows.map(({ name, ratio }) => `  ${JSON.stringify(name)}: ${JSON.stringify(ratio)}`)
  return `{\n${lines.join(',\n')}\n}`
}

/** Whether two texts are equivalent, however they are formatted. */
export function sameRatios(one: string, other: string) {
  const [left, right] = [ratioRows(one), ratioRows(other)]
  if (left === undefined || right === undefined) return one === other
  return ratioText(left) === ratioText(right)
}

export type RatioFault = 'notJson' | 'notRatios'

export function ratioFault(text: string): RatioFault | undefined {
  if (text.trim() !== '' && !isJson(text)) return 'notJson'
  return ratioRows(text) === undefined ? 'notRatios' : undefined
}

/** A typed ratio, if it is valid in a table of ratios. */
export function parseRatio(text: string) {
  const value = readNumber(text)
  return value !== undefined && value >= 0 && value <= RATIO_MAX ? value : undefined
}

/** A price as it is typed, without the digits that a multiplication leaves behind. */
export const dollarsOf = (ratio: number, dollars: number) => String(Number((ratio * dollars).toPrecision(12)))

/** The ratio of a typed price, where a ratio of 1 costs `dollars`. */
export function ratioOf(text: string, dollars: number) {
  const price = readNumber(text)
  return price === undefined ? undefined : parseRatio(String(price / dollars))
}
