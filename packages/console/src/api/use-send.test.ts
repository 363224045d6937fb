import { expect, test } from 'bun:test'
import { sendOnce } from './use-send.ts'

function fixture() {
  let now = 0
  const once = sendOnce(() => now)
  const pass = (ms: number) => {
    now += ms
  }
  return { ...once, pass }
}

test('the same request is sent once until it is answered, and not again by the same double click', () => {
  const { drops, settled, pass } = fixture()
  expect([drops('make'), drops('make'), drops('make')]).toEqual([false, true, true])
  pass(100)
  settled('make', true)
  expect(drops('make')).toBe(true)
  pass(200)
  expect(drops('make')).toBe(false)
  pass(5000)
  expect(drops('make')).toBe(true)
})

test('a failed request may be repeated at once', () => {
  const { drops, settled } = fixture()
  drops('make')
  settled('make', false)
  expect(drops('make')).toBe(false)
})

test('a different request is sent even while the first is pending', () => {
  const { drops, settled } = fixture()
  expect([drops('row 1'), drops('row 2'), drops('row 1')]).toEqual([false, false, true])
  settled('row 1', true)
  expect([drops('back'), drops('row 1')]).toEqual([false, false])
})
