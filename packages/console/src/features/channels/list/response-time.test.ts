import { expect, test } from 'bun:test'
import { responseColor, secondsText, testStateOf } from './response-time.ts'

test('the colour changes after one, three and five seconds [R4.14]', () => {
  expect([0, 1, 1000, 1001, 3000, 3001, 5000, 5001].map(responseColor)).toEqual([
    'none',
    'green',
    'green',
    'olive',
    'olive',
    'yellow',
    'yellow',
    'red',
  ])
})

test('a response time is shown in seconds', () => {
  expect(secondsText(1234)).toBe('1.23')
})

test('a failed test is distinguished from no test, and from one that passed', () => {
  expect(testStateOf({ test_time: 0, response_time: 0 })).toBe('never')
  expect(testStateOf({ test_time: 1_700_000_000, response_time: 0 })).toBe('failed')
  expect(testStateOf({ test_time: 1_700_000_000, response_time: 1 })).toBe('passed')
})
