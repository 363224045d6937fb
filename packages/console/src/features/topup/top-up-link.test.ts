import { expect, test } from 'bun:test'
import { newTransactionId, topUpAddress } from './top-up-link.ts'

test('the payment page learns who pays and keeps its own parameters', () => {
  const url = new URL(topUpAddress('https://pay.example.com/?shop=1', { id: 7, username: '张三' }, 'tx'))
  expect(Object.fromEntries(url.searchParams)).toEqual({
    shop: '1',
    username: '张三',
    user_id: '7',
    transaction_id: 'tx',
  })
})

test('a transaction id is a random UUID of version 4', () => {
  expect(newTransactionId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(newTransactionId()).not.toBe(newTransactionId())
})
