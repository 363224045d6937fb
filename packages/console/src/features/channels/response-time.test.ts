import { expect, test } from 'bun:test'
import { responseColor, secondsText } from './response-time.ts'

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
