import { expect, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { createHttp } from '../../upstream/http.ts'
import { fetchContent, inlineContent } from './inline-content.ts'

const http = createHttp()
const PNG = { 'content-type': 'image/png' }
const refusal = { failure: { blame: 'request', status: 400 } }

test('what lies at an address is fetched whole', async () => {
  const { url } = fakeVendor(() => new Response('a picture', { headers: PNG }))
  const content = await fetchContent(url, http, { policy: 'admin' })
  expect(content).toEqual({ mimeType: 'image/png', base64: btoa('a picture') })
})

test('one that answers at once and then trickles is given up', async () => {
  const { url } = fakeVendor(() => {
    const trickle = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) })
    return new Response(trickle, { headers: PNG })
  })
  await expect(fetchContent(url, http, { policy: 'admin', timeoutMs: 100 })).rejects.toMatchObject(refusal)
})

test('all that a call has fetched shares one bound, and so does the number of its addresses', async () => {
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

test('a failure, and anything that is no content, is the caller’s mistake', async () => {
  for (const response of [() => new Response('no', { status: 404, headers: PNG }), () => Response.json({ a: 1 })]) {
    const { url } = fakeVendor(response)
    await expect(fetchContent(url, http, { policy: 'admin' })).rejects.toMatchObject(refusal)
  }
  // By a user's own wish nobody is asked who is not public.
  const { url, asked } = fakeVendor(() => new Response('x', { headers: PNG }))
  await expect(fetchContent(url, http)).rejects.toMatchObject(refusal)
  expect(asked).toEqual([])
})
