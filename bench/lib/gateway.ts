import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '../../scripts/lib/processes.ts'

/** An additional channel. */
export interface BenchChannel {
  type: number
  models: string
}

/** The product, with one channel to the benchmark's upstream and an unlimited key. */
export const startGateway = async (
  port: number,
  upstream: string,
  models = ['gpt-4o-mini'],
  more: readonly BenchChannel[] = [],
) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const env = { DATA_DIR: dataDir, ROOT_PASSWORD: 'bench-password', GLOBAL_API_RATE_LIMIT: '0' }
  const process = await startProduct(port, env)
  const url = `http://127.0.0.1:${port}`
  const login = await post(url, '/api/user/login', { username: 'root', password: 'bench-password' })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const channels = [{ type: 8, models: models.join(',') }, ...more]
  for (const [index, channel] of channels.entries()) {
    const named = { name: `bench ${index}`, key: 'sk-bench', base_url: upstream, ...channel }
    await post(url, '/api/channel/', named, cookie)
  }
  const tokens = await (await fetch(`${url}/api/token/`, { headers: { cookie } })).json()
  return {
    ...process,
    url,
    key: `sk-${tokens.data[0].key}`,
    dataDir,
    async stop() {
      await process.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function post(url: string, path: string, body: unknown, cookie = '') {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) },
    body: JSON.stringify(body),
  })
}
