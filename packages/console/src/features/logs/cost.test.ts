import { expect, test } from 'bun:test'
import { costLines, costSum, dollarsPerMillion, tidy } from './cost.ts'

const detail = {
  usage: { input: 1000, cachedInput: 0, output: 200 },
  price: { rates: { input: 0.075, output: 0.3 } },
}

test('each kind of token is priced at its own rate, and those without tokens are left out', () => {
  expect(costLines(detail)).toEqual([
    { bucket: 'input', tokens: 1000, rate: 0.075, amount: 75 },
    { bucket: 'output', tokens: 200, rate: 0.3, amount: 60 },
  ])
  expect(costSum(costLines(detail))).toBe(135)
})

test('without a rate there is an amount of tokens but no sum', () => {
  const lines = costLines({ usage: { input: 10, video: 5 }, price: { rates: { input: 1 } } })
  expect(lines.map(({ amount }) => amount)).toEqual([10, undefined])
  expect(costSum(lines)).toBeUndefined()
  expect(costSum([])).toBeUndefined()
})

test('a rate is said in dollars per million tokens', () => {
  expect(dollarsPerMillion(0.075, 500_000)).toBe('$0.15')
  expect(dollarsPerMillion(15, 500_000)).toBe('$30')
})

test('the noise of binary fractions is not shown', () => {
  expect(tidy(0.1 + 0.2)).toBe('0.3')
})
