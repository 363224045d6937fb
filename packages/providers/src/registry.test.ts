import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { providerOf } from './registry.ts'

test('the contract and the registry have the same channel types', () => {
  const known = CHANNEL_TYPES.map(({ value }) => value)
  const served = Array.from({ length: 200 }, (_, value) => value).filter((value) => providerOf(value) !== undefined)
  expect(served).toEqual(known)
})

test('the contract’s description of a type matches its vendor', () => {
  const said = CHANNEL_TYPES.map(({ value, baseUrl, balance, listsModels, hasModels }) => ({
    value,
    baseUrl,
    balance: balance !== undefined,
    listsModels,
    hasModels,
  }))
  const done = CHANNEL_TYPES.map(({ value }) => {
    const { baseUrl, balance, models, forward } = providerOf(value) ?? {}
    return {
      value,
      baseUrl,
      balance: balance !== undefined,
      listsModels: models !== undefined,
      hasModels: forward === undefined,
    }
  })
  expect(done).toEqual(said)
})

test('a type requires an address exactly when its vendor has no default and nothing else determines it', () => {
  const asking = CHANNEL_TYPES.filter(({ fields }) =>
    fields.some(({ name, required }) => required && name === 'base_url'),
  )
  // For Amazon's and Google's clouds the region determines the address.
  const regional = CHANNEL_TYPES.filter(({ fields }) => fields.some(({ name }) => name === 'config.region'))
  const homeless = CHANNEL_TYPES.filter(({ value }) => providerOf(value)?.baseUrl === undefined)
  expect([...asking, ...regional].map(({ value }) => value).sort()).toEqual(homeless.map(({ value }) => value).sort())
})
