import { expect, test } from 'bun:test'
import { QueryClient } from '@tanstack/react-query'
import { patchRow } from './list-cache.ts'

const pageOf = (status: number) => ({ rows: [{ id: 1, status }], total: 1 })

test('a row changes in every cached page, and can be changed back', () => {
  const client = new QueryClient()
  client.setQueryData(['tokens', 'list', 0], pageOf(1))
  client.setQueryData(['tokens', 'list', 'searched'], pageOf(1))
  client.setQueryData(['channels', 'list', 0], pageOf(1))
  const undo = patchRow(client, ['tokens', 'list'], { id: 1, status: 2 })
  expect(client.getQueryData(['tokens', 'list', 0])).toEqual(pageOf(2))
  expect(client.getQueryData(['tokens', 'list', 'searched'])).toEqual(pageOf(2))
  expect(client.getQueryData(['channels', 'list', 0])).toEqual(pageOf(1))
  undo()
  expect(client.getQueryData(['tokens', 'list', 0])).toEqual(pageOf(1))
})
