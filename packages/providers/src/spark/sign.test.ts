import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { signedUrl } from './sign.ts'

/** The example of iFlytek's documentation (general_url_authentication). */
const DOCUMENTED = {
  apiKey: 'addd2272b6d8b7c8abdd79531420ca3b',
  apiSecret: 'MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi',
  nowMs: Date.parse('Fri, 05 May 2023 10:43:39 GMT'),
}

test('the signature matches the one that iFlytek publishes for its example', async () => {
  const url = new URL(await signedUrl(new URL('wss://spark-api.xf-yun.com/v1.1/chat'), DOCUMENTED))
  expect(url.origin + url.pathname).toBe('wss://spark-api.xf-yun.com/v1.1/chat')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    authorization:
      'YXBpX2tleT0iYWRkZDIyNzJiNmQ4YjdjOGFiZGQ3OTUzMTQyMGNhM2IiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9zd' +
      'CBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0iejVnSGR1M3B4VlY0QURNeWs0Njd3T1dEUTlxNkJRelIzbmZNVGpjL0RhUT0i',
    date: 'Fri, 05 May 2023 10:43:39 GMT',
    host: 'spark-api.xf-yun.com',
  })
})

test('another host and port are signed as they are', async () => {
  const url = new URL(await signedUrl(new URL('ws://127.0.0.1:8080/v3.5/chat'), DOCUMENTED))
  const signature = createHmac('sha256', DOCUMENTED.apiSecret)
    .update('host: 127.0.0.1:8080\ndate: Fri, 05 May 2023 10:43:39 GMT\nGET /v3.5/chat HTTP/1.1')
    .digest('base64')
  const credential = Buffer.from(url.searchParams.get('authorization') ?? '', 'base64').toString()
  expect(credential).toEndWith(`signature="${signature}"`)
})
