import { expect } from 'bun:test'
import type { Client } from './client.ts'
import { type RelayFixture, relayFixture } from './relay-fixture.ts'

/* A call whose price is known in advance: it is held, reported and charged at exactly 22. */
export const MODEL = 'fixed/12/10'
export const LIMIT = { max_tokens: 10 }
export const PRICE = 22

/** A gateway whose callers have enough money: only budgets refuse them. */
export const budgetFixture = (overrides: Parameters<typeof relayFixture>[0] = {}) =>
  relayFixture({ quota: 10_000_000, options: { DefaultModelRatio: 1 }, ...overrides })

export const DAILY = { quota: 5 * PRICE, period: 'day', zone: 'Europe/Berlin' }

export const makeBudget = async (client: Client, fields: Record<string, unknown>): Promise<number> => {
  const answer = await client.post('/api/budget/', { ...DAILY, ...fields })
  expect(answer).toMatchObject({ success: true })
  return answer.data
}

export const keyId = async ({ payer }: RelayFixture) => String((await payer.client.get('/api/token/')).data[0].id)
