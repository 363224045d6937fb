import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { asRoot } from '../testing/makers.ts'

const channel = (name: string) => ({ type: 1, name, key: 'sk-x', models: 'm', group: 'default' })

/** Each list with a search, how to add to it, and where its rows have their name. */
const LISTS = {
  '/api/user/search': {
    add: ['/api/user/', (name: string) => ({ username: name, password: 'a-good-password' })],
    by: 'username',
  },
  '/api/channel/search': { add: ['/api/channel/', channel], by: 'name' },
  '/api/channel/': { add: ['/api/channel/', channel], by: 'name' },
  '/api/token/search': { add: ['/api/token/', (name: string) => ({ name, remain_quota: 1 })], by: 'name' },
  '/api/token/all': { add: ['/api/token/', (name: string) => ({ name, remain_quota: 1 })], by: 'name' },
  '/api/redemption/search': { add: ['/api/redemption/', (name: string) => ({ name, quota: 1, count: 1 })], by: 'name' },
} as const

async function filled(path: keyof typeof LISTS) {
  const app = await testApp()
  const client = await asRoot(app)
  const { add, by } = LISTS[path]
  for (const name of ['Node1', ...Array.from({ length: 11 }, (_, index) => `node1${index}`)]) {
    const { success, message } = await client.post(add[0], add[1](name))
    expect({ success, message }).toMatchObject({ success: true })
  }
  return { client, names: (keyword: string) => namesIn(client, `${path}?keyword=${keyword}&p=0`, by) }
}

const namesIn = async (client: Client, path: string, by: 'name' | 'username'): Promise<string[]> =>
  (await client.get(path)).data.map((row: Record<string, string>) => row[by])

test.each(Object.keys(LISTS) as (keyof typeof LISTS)[])(
  '%s: what has exactly the searched name comes first, the others as before',
  async (path) => {
    const { names } = await filled(path)
    expect((await names('node1')).slice(0, 4)).toEqual(['Node1', 'node110', 'node19', 'node18'])
  },
)

test.each(['/api/user/search', '/api/channel/search', '/api/redemption/search'] as const)(
  '%s: what has the searched id comes first',
  async (path) => {
    const { client } = await filled(path)
    expect((await client.get(`${path}?keyword=1&p=0`)).data[0].id).toBe(1)
  },
)
