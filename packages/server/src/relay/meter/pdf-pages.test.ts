import { expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { pdfOf } from '../../testing/sample-files.ts'
import { pdfPages } from './pdf-pages.ts'

const packed = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')

test.each([false, true])('the pages of a document are counted, even if their list is compressed: %s', (isPacked) => {
  for (const pages of [1, 2, 77]) expect(pdfPages(packed(pdfOf({ pages, packed: isPacked })))).toBe(pages)
})

test('for a document of many megabytes the beginning and the end are read', () => {
  for (const isPacked of [false, true]) {
    expect(pdfPages(packed(pdfOf({ pages: 2500, packed: isPacked })))).toBeGreaterThanOrEqual(2500)
  }
  const linearized = `%PDF-1.4\n1 0 obj\n<< /Linearized 1 /L 9 /N 321 /T 9 >>\nendobj\n${' '.repeat(6_000_000)}`
  expect(pdfPages(packed(linearized))).toBe(321)
})

test('a document without a page count does not count as zero pages', () => {
  for (const bytes of ['', '%PDF-1.7', 'no document', pdfOf({ pages: 5, packed: true }).subarray(0, 90)]) {
    expect(pdfPages(packed(bytes))).toBeUndefined()
  }
})

test('a page list that expands beyond any realistic size is not expanded', () => {
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024))
  const head = `%PDF-1.7\n1 0 obj\n<< /Type /ObjStm /Filter /FlateDecode >>\nstream\n`
  expect(pdfPages(packed(Buffer.concat([Buffer.from(head), bomb, Buffer.from('\nendstream')])))).toBeUndefined()
})

test('every truncated document is counted as far as it goes', () => {
  const whole = pdfOf({ pages: 9, packed: false })
  for (let end = 0; end < whole.length; end += 997) {
    expect(pdfPages(packed(whole.subarray(0, end))) ?? 0).toBeLessThanOrEqual(9)
  }
})
