import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { asRoot, makeUser } from '../testing/makers.ts'

/** Each has at least twelve rows below. */
const LISTS = [
  '/api/user/?p=0',
  '/api/user/search?p=0&keyword=',
  '/api/token/all?p=0',
  '/api/redemption/?p=0',
  '/api/redemption/search?p=0&keyword=spring',
  '/api/route/prices?p=0',
  '/api/route/group_prices?p=0&group=default',
  '/api/audit?p=0',
]

test('long lists have ten rows on a page, or as many as are asked for; a number that is not offered means ten', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  for (let n = 0; n < 12; n++) await makeUser(app)
  for (let n = 0; n < 12; n++) await root.post('/api/redemption/', { name: 'spring', quota: 1, count: 1 })
  const models = Array.from({ length: 12 }, (_, n) => `gpt-4o-${n}`)
  await makeChannel(root, { models: models.join(',') })
  for (const list of LISTS) {
    const rows = async (more: string) =>
      (await root.get(`${list}${more}`)).data.map((row: object) => JSON.stringify(row))
    const all = await rows('&page_size=100')
    expect(all.length, list).toBeGreaterThanOrEqual(12)
    for (const size of ['', '&page_size=', '&page_size=9', '&page_size=101', '&page_size=x', '&page_size=20.5'])
      expect(await rows(size), `${list}${size}`).toEqual(all.slice(0, 10))
    expect(await rows('&page_size=20'), list).toEqual(all.slice(0, 20))
    expect((await root.get(`${list.replace('p=0', 'p=1')}&page_size=11`)).data).toHaveLength(
      Math.min(11, all.length - 11),
    )
  }
})
