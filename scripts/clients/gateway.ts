import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyOfType } from '../../packages/server/src/testing/channel-makers.ts'
import { createClient } from '../../packages/server/src/testing/client.ts'
import type { StrictVendor } from '../../packages/server/src/testing/vendors/strict-vendor.ts'
import { startProduct } from '../lib/processes.ts'
import { freePort } from '../lib/service.mjs'

const OPEN_HOLDS = 'select count(*) as open from holds where state = 0'

export type Keys = Record<'good' | 'wrong' | 'broke' | 'bound', string>

export interface Gateway {
  url: string
  keys: Keys
  /** Calls with an unsettled hold. */
  openCalls(): number
  stop(): Promise<void>
}

/** A vendor's fake and the channel that leads to it. */
interface Vendor extends Pick<StrictVendor, 'type' | 'model' | 'config'> {
  url: string
}

/** The product, with one channel per vendor, and a key for each kind of refusal. */
export const startGateway = async (vendors: Readonly<Record<string, Vendor>>): Promise<Gateway> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-clients-data-'))
  const port = await freePort()
  const password = 'a-password-of-root'
  const limits = { GLOBAL_API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0' }
  const product = await startProduct(port, { DATA_DIR: dataDir, ROOT_PASSWORD: password, ...limits })
  const url = `http://127.0.0.1:${port}`
  const signedIn = async (username: string) => {
    const client = createClient(url)
    await done(client.post('/api/user/login', { username, password }))
    return client
  }
  const root = await signedIn('root')
  for (const [name, { type, model, url: base_url, config = {} }] of Object.entries(vendors)) {
    const how = { key: keyOfType(type), config: JSON.stringify(config), group: 'default' }
    await done(root.post('/api/channel/', { name, type, base_url, models: model, ...how }))
  }
  await done(root.post('/api/user/', { username: 'broke', password }))
  await done(root.post('/api/token/', { name: 'bound', unlimited_quota: true, expired_time: -1, models: 'another' }))
  const keysOf = async (client: typeof root) => {
    const { data } = await done(client.get('/api/token/'))
    return new Map<string, string>(data.map((token: { name: string; key: string }) => [token.name, `sk-${token.key}`]))
  }
  const own = await keysOf(root)
  const bound = own.get('bound') ?? ''
  own.delete('bound')
  const [broke = ''] = (await keysOf(await signedIn('broke'))).values()
  const [good = ''] = own.values()
  const books = new Database(join(dataDir, 'tollgate.db'), { readonly: true })
  return {
    url,
    keys: { good, wrong: `sk-${'0'.repeat(48)}`, broke, bound },
    openCalls: () => books.query<{ open: number }, []>(OPEN_HOLDS).get()?.open ?? 0,
    async stop() {
      books.close()
      await product.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function done(answered: ReturnType<ReturnType<typeof createClient>['get']>) {
  const answer = await answered
  if (!answer.success) throw new Error(answer.message)
  return answer
}
