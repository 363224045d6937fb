import { expect, test } from 'bun:test'
import { cacheSaving, costLines, costSum, rateInDollars, tidy, tokenSum } from './cost.ts'

const detail = {
  usage: { input: 1000, cachedInput: 0, output: 200 },
  price: { rates: { input: 0.075, output: 0.3 } },
}

test('each kind of token is priced at its own rate, and those without tokens are left out', () => {
  expect(costLines(detail)).toEqual([
    { bucket: 'input', count: 1000, rate: 0.075, amount: 75 },
    { bucket: 'output', count: 200, rate: 0.3, amount: 60 },
  ])
  expect(costSum(costLines(detail))).toBe(135)
})

test('without a rate there is a number of tokens but no sum', () => {
  const lines = costLines({ usage: { input: 10, video: 5 }, price: { rates: { input: 1 } } })
  expect(lines.map(({ amount }) => amount)).toEqual([10, undefined])
  expect(costSum(lines)).toBeUndefined()
  expect(costSum([])).toBeUndefined()
})

test('a rate is said in dollars for what is sold: a million tokens, a thousand uses, a second, a task', () => {
  const said = (bucket: string, rate: number) => {
    const { amount, unit } = rateInDollars({ bucket, rate, count: 1, amount: rate }, 500_000)
    return `${amount} ${unit}`
  }
  expect(said('input', 0.075)).toBe('$0.15 tokens')
  expect(said('output', 15)).toBe('$30 tokens')
  expect(said('webSearches', 5000)).toBe('$10 uses')
  expect(said('fileSearches', 1250)).toBe('$2.5 uses')
  expect(said('requests', 6000)).toBe('$12 uses')
  expect(said('codeSessions', 15_000)).toBe('$30 uses')
  expect(said('characters', 7.5)).toBe('$15 characters')
  expect(said('videoSeconds', 50_000)).toBe('$0.1 second')
  expect(said('tasks', 50_000)).toBe('$0.1 task')
})

test('tokens are added up where nothing else was sold, and a charge in any case', () => {
  const usage = { input: 10, output: 20, webSearches: 3, requests: 1 }
  const lines = costLines({ usage, price: { rates: { input: 0.5, output: 0.5, webSearches: 2500, requests: 6000 } } })
  expect(costSum(lines)).toBe(15 + 7500 + 6000)
  expect(tokenSum(lines)).toBeUndefined()
  expect(tokenSum(costLines({ usage: { input: 10, output: 20 } }))).toBe(30)
})

test('characters, seconds of video and tasks are no tokens', () => {
  for (const bucket of ['characters', 'videoSeconds', 'tasks'])
    expect(tokenSum(costLines({ usage: { [bucket]: 1 } }))).toBeUndefined()
  const lines = costLines({ usage: { videoSeconds: 8 }, price: { rates: { videoSeconds: 50_000 } } })
  expect(costSum(lines)).toBe(400_000)
})

test('floating-point noise is not shown', () => {
  expect(tidy(0.1 + 0.2)).toBe('0.3')
  expect(tidy(266_076.25)).toBe('266,076.25')
  expect(tidy(0.00000012)).toBe('0.00000012')
})

test('the saving of the prompt cache is the price of its tokens as plain input, at the group’s ratio', () => {
  const price = { factor: 2, rates: { input: 1, cachedInput: 0.1, cacheWrite: 1.25 } }
  expect(cacheSaving({ usage: { input: 10, cachedInput: 1000, cacheWrite: 400 }, price })).toBe(1600)
  expect(cacheSaving({ usage: { input: 10, cacheWrite: 400 }, price })).toBe(-200)
  expect(cacheSaving({ usage: { input: 10 }, price })).toBe(0)
  expect(cacheSaving({ usage: { cachedInput: 10 } })).toBe(0)
})
