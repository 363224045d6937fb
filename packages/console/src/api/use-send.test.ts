import { expect, test } from 'bun:test'
import { sendOnce } from './use-send.ts'

function ground() {
  let now = 0
  const once = sendOnce(() => now)
  const pass = (ms: number) => {
    now += ms
  }
  return { ...once, pass }
}

test('the same wish is sent once until it is answered, and not again by the same double click', () => {
  const { drops, settled, pass } = ground()
  expect([drops('make'), drops('make'), drops('make')]).toEqual([false, true, true])
  pass(100)
  settled('make', true)
  expect(drops('make')).toBe(true)
  pass(200)
  expect(drops('make')).toBe(false)
  pass(5000)
  expect(drops('make')).toBe(true)
})

test('a wish that failed may be repeated at once', () => {
  const { drops, settled } = ground()
  drops('make')
  settled('make', false)
  expect(drops('make')).toBe(false)
})

test('another wish is another wish, also while the first is on its way', () => {
  const { drops, settled } = ground()
  expect([drops('row 1'), drops('row 2'), drops('row 1')]).toEqual([false, false, true])
  settled('row 1', true)
  expect([drops('back'), drops('row 1')]).toEqual([false, false])
})
