import { expect, test } from 'bun:test'
import { topUpAddress } from './top-up-link.ts'

test('the payment page receives who pays and keeps its own parameters', () => {
  const url = new URL(topUpAddress('https://pay.example.com/?shop=1', { id: 7, username: '张三' }, 'tx'))
  expect(Object.fromEntries(url.searchParams)).toEqual({
    shop: '1',
    username: '张三',
    user_id: '7',
    transaction_id: 'tx',
  })
})
