import { expect, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { createHttp } from '../../upstream/http.ts'
import { fetchContent, inlineContent } from './inline-content.ts'

const http = createHttp()
const PNG = { 'content-type': 'image/png' }
const refusal = { failure: { blame: 'request', status: 400 } }

test('content at a URL is fetched completely', async () => {
  const { url } = fakeVendor(() => new Response('a picture', { headers: PNG }))
  const content = await fetchContent(url, http, { policy: 'admin' })
  expect(content).toEqual({ mimeType: 'image/png', base64: btoa('a picture') })
})

test('a server that answers at once and then trickles is given up', async () => {
  const { url } = fakeVendor(() => {
    const trickle = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) })
    return new Response(trickle, { headers: PNG })
  })
  await expect(fetchContent(url, http, { policy: 'admin', timeoutMs: 100 })).rejects.toMatchObject(refusal)
})

test('all fetched content of a call shares one size limit, and so does the number of its URLs', async () => {
  const { url, asked } = fakeVendor(() => new Response('12345678', { headers: PNG }))
  const room = { bytes: 20 }
  for (let turn = 0; turn < 2; turn++) await fetchContent(url, http, { policy: 'admin', room })
  await expect(fetchContent(url, http, { policy: 'admin', room })).rejects.toMatchObject(refusal)

  const before = asked.length
  const content = Array.from({ length: 101 }, () => ({ type: 'image' as const, source: { url } }))
  const request = { model: 'm', stream: false, extra: {}, messages: [{ role: 'user' as const, content }] }
  await expect(inlineContent(request, ['image'], http)).rejects.toMatchObject(refusal)
  expect(asked).toHaveLength(before)
})

test('a failure, and anything that is not such content, is the caller’s mistake', async () => {
  for (const response of [() => new Response('no', { status: 404, headers: PNG }), () => Response.json({ a: 1 })]) {
    const { url } = fakeVendor(response)
    await expect(fetchContent(url, http, { policy: 'admin' })).rejects.toMatchObject(refusal)
  }
  // At a user's request, only public addresses are contacted.
  const { url, asked } = fakeVendor(() => new Response('x', { headers: PNG }))
  await expect(fetchContent(url, http)).rejects.toMatchObject(refusal)
  expect(asked).toEqual([])
})
