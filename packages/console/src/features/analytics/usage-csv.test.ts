import { expect, test } from 'bun:test'
import { aRow } from '../../lib/testing/a-row.ts'
import { METRICS } from '../../lib/usage/usage-metrics.ts'
import { usageCsv } from './usage-csv.ts'

const table = (rows: Parameters<typeof aRow>[0][], quotaPerUnit: number | undefined = 500_000) => {
  const text = usageCsv({
    rows: rows.map((row) => aRow(row)),
    dimensions: ['Model'],
    namesOf: ({ model = '' }) => [model],
    metricName: (metric) => metric,
    quotaPerUnit,
  })
  const [head = '', ...lines] = text.replace('\ufeff', '').trimEnd().split('\r\n')
  return { head: head.split(','), rows: lines.map((line) => line.split(',')) }
}

test('a file has every metric of every row as a plain number, with its unit in the heading', () => {
  const { head, rows } = table([{ model: 'gpt-4.1', quota: 750_000, calls: 12_000, failed: 3, first_byte_p95: 812.5 }])
  const cell = (name: string) => rows[0]?.[head.indexOf(name)]
  expect(head).toHaveLength(1 + METRICS.length)
  expect([cell('Model'), cell('quota ($)'), cell('calls'), cell('failed_share')]).toEqual([
    ...['gpt-4.1', '1.5', '12000', '0.00025'],
  ])
  expect(cell('first_byte_p95 (ms)')).toBe('812.5')
})

test('where periods are compared, the metric of the preceding one is the last column, empty for what is new', () => {
  const rows = [aRow({ model: 'a', quota: 500_000 }), aRow({ model: 'new', quota: 1 })]
  const text = usageCsv({
    ...{ rows, dimensions: ['Model'], namesOf: ({ model = '' }) => [model], metricName: (metric) => metric },
    quotaPerUnit: 500_000,
    before: {
      ...{ metric: 'quota', heading: 'Previous' },
      rowOf: ({ model }) => (model === 'a' ? aRow({ model: 'a', quota: 250_000 }) : undefined),
    },
  })
  const [head = '', ...lines] = text.trimEnd().split('\r\n')
  expect(head).toEndWith(',Previous: quota ($)')
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(['0.5', ''])
})

test('an unknown value is empty, not zero', () => {
  const { head, rows } = table([{ model: 'a', quota: null, calls: 0 }])
  expect([rows[0]?.[head.indexOf('quota ($)')], rows[0]?.[head.indexOf('calls')]]).toEqual(['', '0'])
})

test('if the site shows no money, quota is shown as quota', () => {
  const text = usageCsv({
    ...{ rows: [aRow({ model: 'a', quota: 7 })], dimensions: [], namesOf: () => [], quotaPerUnit: undefined },
    metricName: (metric) => metric,
  })
  expect(text.replace('\ufeff', '')).toStartWith('quota,')
  expect(text).toContain('\r\n7,')
})
