import { expect, test } from 'bun:test'
import { compare, currentFindings, isShrunk, type ListFindings, listsNoneOffered } from './comparison.ts'

const offer = (models: string[], mapping: Record<string, string> = {}) => ({
  models,
  mapping: new Map(Object.entries(mapping)),
})

const looks = (models: string[], mapping: Record<string, string>, ...lists: string[][]) =>
  lists.reduce<ListFindings | undefined>((before, listed) => compare(offer(models, mapping), listed, before), undefined)

test('in the first list nothing is new, because it is unknown since when it exists, but offered models that are not listed are missing', () => {
  expect(looks(['a', 'x'], {}, ['a', 'b', 'c'])).toMatchObject({ added: [], missing: ['x'] })
})

test('an added model is reported until somebody decides, and one that existed before is not', () => {
  expect(looks(['a'], {}, ['a', 'b'], ['a', 'b', 'c'])).toMatchObject({ added: ['c'] })
  expect(looks(['a'], {}, ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd'])).toMatchObject({ added: ['c', 'd'] })
  expect(looks(['a'], {}, ['a', 'b'], ['a', 'b', 'c'], ['a', 'b'])).toMatchObject({ added: [] })
})

test('an ignored model is reported again once it was removed and added again', () => {
  const found = looks(['a'], {}, ['a'], ['a', 'b'])
  const ignored = { ...(found as ListFindings), added: [] }
  const again = compare(offer(['a']), ['a', 'b'], ignored)
  expect(again.added).toEqual([])
  expect(compare(offer(['a']), ['a', 'b'], compare(offer(['a']), ['a'], again)).added).toEqual(['b'])
})

test('a kept missing model is forgotten when it is listed again, and missing again when it disappears', () => {
  const found = looks(['a', 'x'], {}, ['a'])
  const kept = compare(offer(['a', 'x']), ['a'], { ...(found as ListFindings), missing: [], kept: ['x'] })
  expect(kept).toMatchObject({ missing: [], kept: ['x'] })
  const back = compare(offer(['a', 'x']), ['a', 'x'], kept)
  expect(back).toMatchObject({ missing: [], kept: [] })
  expect(compare(offer(['a', 'x']), ['a'], back)).toMatchObject({ missing: ['x'], kept: [] })
})

test('a mapped model is searched for by the vendor’s name, and that name is not reported as new', () => {
  const mapping = { gpt: 'vendor/gpt', old: 'vendor/old' }
  const found = looks(['gpt', 'old', 'elder'], { ...mapping, elder: 'vendor/old' }, ['z'], ['vendor/gpt', 'z'])
  expect(found).toMatchObject({ added: [], missing: ['vendor/old'] })
  expect(
    currentFindings(offer(['gpt', 'old', 'elder'], { ...mapping, elder: 'vendor/old' }), found as ListFindings).missing,
  ).toEqual([
    { model: 'old', upstream: 'vendor/old' },
    { model: 'elder', upstream: 'vendor/old' },
  ])
  expect(
    currentFindings(offer(['gpt', 'old'], { ...mapping, old: 'vendor/gpt' }), found as ListFindings).missing,
  ).toEqual([])
})

test('for a channel that was edited since, only what still applies is reported', () => {
  const found = looks(['a', 'x'], {}, ['a'], ['a', 'b', 'c'])
  expect(currentFindings(offer(['a', 'b']), found as ListFindings)).toMatchObject({
    added: ['c'],
    missing: [],
    others: [],
  })
})

test('a list without any model of the channel, or of less than half its length, is not accepted at once', () => {
  expect(listsNoneOffered(offer(['a'], { a: 'v/a' }), ['a', 'b'])).toBe(true)
  expect(listsNoneOffered(offer(['a', 'b']), ['a'])).toBe(false)
  expect(listsNoneOffered(offer([]), ['a'])).toBe(false)
  const before = looks(['a', 'b'], {}, ['a', 'b', 'c', 'd', 'e'])
  expect(isShrunk(offer(['a', 'b']), ['a', 'c'], before)).toBe(true)
  expect(isShrunk(offer(['a', 'b']), ['a', 'b'], before)).toBe(false)
  expect(isShrunk(offer(['a', 'b']), ['a', 'c', 'd'], before)).toBe(false)
})
