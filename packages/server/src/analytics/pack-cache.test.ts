import { expect, test } from 'bun:test'
import { createPackCache } from './pack-cache.ts'
import type { Pack, PacksQuery } from './packs-repository.ts'
import { FOUR_DAYS } from './zone-time.ts'

const MEGABYTE = 1_000_000

function fixture(bytes = 10) {
  const clock = { at: 0, now: () => clock.at }
  const cache = createPackCache(clock)
  const reads: string[] = []
  const query = (kind: Pack['kind'], nth: number): PacksQuery => ({
    ...{ kind, days: [{ span: FOUR_DAYS, start: nth * FOUR_DAYS }], parts: [0] },
  })
  /** Reads the packs of these days; returns those that were not kept. */
  const read = async (kind: Pack['kind'], ...days: number[]) => {
    const before = reads.length
    for (const nth of days)
      await cache.getOrRead([query(kind, nth)], async () => {
        reads.push(`${kind} ${nth}`)
        return [{ kind, span: FOUR_DAYS, start: nth * FOUR_DAYS, part: 0, bytes: new Uint8Array(bytes) }]
      })
    return reads.slice(before)
  }
  const note = (nth: number, mark: number) => cache.note('figures', [{ span: FOUR_DAYS, start: nth * FOUR_DAYS, mark }])
  return { clock, cache, read, note, query }
}

test('packs are read once, and again when their days have changed', async () => {
  const { read, note } = fixture()
  note(1, 100)
  expect(await read('keys', 1, 1, 2)).toEqual(['keys 1', 'keys 2'])
  expect(await read('routes', 1)).toEqual(['routes 1'])
  note(1, 101)
  expect(await read('keys', 1, 2, 1)).toEqual(['keys 1'])
})

test('packs that were read while their days changed are not kept', async () => {
  const { cache, read, note, query } = fixture()
  note(1, 100)
  await cache.getOrRead([query('keys', 1)], async () => {
    note(1, 101)
    return []
  })
  expect(await read('keys', 1, 1)).toEqual(['keys 1'])
})

test('no more than 32 MB are kept: the least recently used go first', async () => {
  const { read } = fixture(10 * MEGABYTE)
  expect(await read('calls', 1, 2, 3, 1, 4)).toEqual(['calls 1', 'calls 2', 'calls 3', 'calls 4'])
  expect(await read('calls', 1, 3, 4)).toEqual([])
  expect(await read('calls', 2)).toEqual(['calls 2'])
})
