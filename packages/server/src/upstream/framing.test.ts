import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createEventCutter, eventsIn } from './framing.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const ENDS = ['\n\n', '\r\n\r\n', '\r\r']

const piece = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 12 }), end: fc.constantFrom(...ENDS) })

test('however a stream is split, whole events come out, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 9 })), (pieces, sizes) => {
      const events = pieces.map(({ text, end }) => `data: ${JSON.stringify(text)}${end}`)
      const bytes = encoder.encode(events.join(''))
      const cutter = createEventCutter()
      let all = ''
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % Math.max(1, sizes.length)] ?? 1
        const out = decoder.decode(cutter.push(bytes.subarray(at, at + size)))
        for (const { data, raw } of eventsIn(out)) if (raw !== '') expect(() => JSON.parse(data)).not.toThrow()
        all += out
        at += size
      }
      expect(all + decoder.decode(cutter.rest())).toBe(events.join(''))
    }),
  )
})

test('an event as long as an image is one event, and takes no longer than its bytes', () => {
  const image = 'A'.repeat(24 * 1024 * 1024)
  const bytes = encoder.encode(`data: {"first":1}\n\ndata: {"b64_json":"${image}"}\n\ndata: [DONE]\n\n`)
  const cutter = createEventCutter()
  const lengths: number[] = []
  for (let at = 0; at < bytes.length; at += 64 * 1024) {
    const out = cutter.push(bytes.subarray(at, at + 64 * 1024))
    lengths.push(...eventsIn(decoder.decode(out)).flatMap(({ data }) => (data === '' ? [] : [data.length])))
  }
  expect(lengths).toEqual(['{"first":1}'.length, '{"b64_json":""}'.length + image.length, '[DONE]'.length])
})

test('a line without an end is passed on before it fills the memory', () => {
  const cutter = createEventCutter()
  const chunk = new Uint8Array(8 * 1024 * 1024).fill(65)
  const passed = Array.from({ length: 20 }, () => cutter.push(chunk).length)
  expect(passed.some((length) => length > 0)).toBe(true)
  expect(passed.reduce((sum, length) => sum + length, 0) + cutter.rest().length).toBe(20 * chunk.length)
})
