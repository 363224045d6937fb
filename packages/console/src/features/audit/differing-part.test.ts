import { expect, test } from 'bun:test'
import { differingPart } from './differing-part.ts'

test('long texts are cut to where they differ, short ones are whole', () => {
  expect(differingPart('Tollgate', 'Harbour Gate')).toEqual(['Tollgate', 'Harbour Gate'])
  expect(differingPart('gpt-4o,gpt-4o-mini,o3', 'gpt-4o,gpt-4o-mini,o3,gpt-5.4')).toEqual([
    '…ini,o3',
    '…ini,o3,gpt-5.4',
  ])
  expect(differingPart('{"default":1,"vip":1,"svip":1}', '{"default":1,"vip":0.8,"svip":1}')).toEqual([
    '…"vip":1,"svip…',
    '…"vip":0.8,"svip…',
  ])
  expect(differingPart('', 'a text of more than twenty characters')).toEqual([
    '',
    'a text of more than twenty characters',
  ])
})

test('a character outside the basic plane is not cut in half', () => {
  const [before, after] = differingPart(`${'😀'.repeat(12)}a`, `${'😀'.repeat(12)}b`)
  expect([before.isWellFormed(), after.isWellFormed()]).toEqual([true, true])
})
