import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dollarText, QUOTA_PER_DOLLAR } from '@tollgate/contract'
import { NO_USAGE, type Usage } from '@tollgate/providers'
import { createPriceBook } from '../catalog/prices.ts'
import { micros } from '../ledger/rounding.ts'
import { createQuotes } from '../relay/meter/quote.ts'
import { priceOfUsage } from '../relay/meter/receipt.ts'

/* Recomputes the guide's example with the code that computes every charge. */

const OPENAI = 1
const BUCKETS: Record<string, keyof Usage> = {
  input: 'input',
  输入: 'input',
  'cached input': 'cachedInput',
  缓存命中: 'cachedInput',
  output: 'output',
  输出: 'output',
}

const numberOf = (text = '') => Number(text.replaceAll(',', ''))

/** The rows of the page's token tables: each kind, then the sum, then the charge. */
function tablesIn(page: string) {
  return [...page.matchAll(/(?:^\|.*\|\n)+/gm)]
    .map(([table]) => table.trim().split('\n').slice(2))
    .map((lines) =>
      lines.map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    )
    .filter(([first]) => first?.length === 4)
    .map((rows) => ({
      kinds: rows.slice(0, -2).map(([kind = '', tokens, rate, quota]) => ({
        bucket: BUCKETS[kind] ?? 'requests',
        tokens: numberOf(tokens),
        rate: rate ?? '',
        quota: numberOf(quota),
      })),
      sum: numberOf(rows.at(-2)?.[3]),
      total: numberOf(rows.at(-1)?.[3]),
    }))
}

const usageOf = (kinds: readonly { bucket: string; tokens: number }[]): Usage => ({
  ...NO_USAGE,
  ...Object.fromEntries(kinds.map(({ bucket, tokens }) => [bucket, tokens])),
})

test.each(['zh', 'en'])('the worked example of the guide matches what the product charges (%s)', (language) => {
  const page = readFileSync(join(import.meta.dir, `../../../../docs/guide/${language}/billing.md`), 'utf8')
  const book = createPriceBook({ ModelRatio: new Map(), CompletionRatio: new Map(), DefaultModelRatio: 30 })
  const quote = createQuotes({ prices: () => book, groupFactor: () => micros(0.9) })({
    ...{ model: 'gpt-4o', type: OPENAI, group: 'vip', free: false },
  })
  expect(quote.price.source).toBe('library')

  const [held, charged, ...more] = tablesIn(page)
  if (held === undefined || charged === undefined) throw new Error('The page has no tables of tokens')
  expect(more).toEqual([])
  for (const { kinds, sum } of [held, charged]) {
    for (const { bucket, tokens, rate, quota } of kinds) {
      expect([bucket, rate]).toEqual([bucket, quote.price.shown[bucket] ?? ''])
      expect(quota).toBe(tokens * Number(rate))
    }
    expect(sum).toBe(kinds.reduce((total, { quota }) => total + quota, 0))
  }
  expect(held.total).toBe(priceOfUsage(usageOf(held.kinds), quote))
  expect(charged.total).toBe(priceOfUsage(usageOf(charged.kinds), quote))

  const text = (quota: number) => quota.toLocaleString('en')
  expect(page).toContain(text(QUOTA_PER_DOLLAR))
  expect(page).toContain(text(QUOTA_PER_DOLLAR - held.total))
  expect(page).toContain(text(QUOTA_PER_DOLLAR - charged.total))
  expect(page).toContain(dollarText(charged.total, QUOTA_PER_DOLLAR, 'exact'))
  const input = charged.kinds.filter(({ bucket }) => bucket !== 'output').reduce((sum, { tokens }) => sum + tokens, 0)
  expect(page).toContain(text(input))
})
