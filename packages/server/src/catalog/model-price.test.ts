import { expect, test } from 'bun:test'
import { createPriceBook } from './prices.ts'

const AT = new Date('2026-11-15T12:00:00Z')
const OPENAI = 1

const ratesWith = (model: string, completion?: number) => {
  const CompletionRatio = new Map(completion === undefined ? [] : [[model, completion]])
  return createPriceBook({ ModelRatio: new Map(), CompletionRatio, DefaultModelRatio: 30 }, AT)(model, OPENAI).rates
}

test("an operator's ratios apply to text: audio, images and searches keep their own price", () => {
  const listed = ratesWith('gpt-audio')
  const text = listed.input * 2n
  const own = ratesWith('gpt-audio', 2)
  // Images have no separate price at this model.
  expect(own).toEqual({ ...listed, output: text, reasoning: text, imageOutput: text })
  expect(own.audioOutput).toBeGreaterThan(own.output)
})

test('a kind without a separate price costs the same as text', () => {
  const own = ratesWith('gpt-4o-mini', 8)
  expect([own.reasoning, own.audioOutput, own.imageOutput]).toEqual([own.output, own.output, own.output])
  expect(own.output).toBe(own.input * 8n)
})
