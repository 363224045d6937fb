import { expect, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { readStream, relayFixture } from '../../testing/relay-fixture.ts'

const PRICES = (...models: string[]) => ({
  ModelRatio: JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))),
  CompletionRatio: JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))),
})

const FLUX = 'black-forest-labs/flux-schnell'
const LLAMA = 'meta/llama'

const REPLICATE = 46

/** Replicate: a prediction that is `starting` until it was polled this often. */
const replicate = async (asks: number, end: object = { status: 'succeeded' }) => {
  let left = asks
  const prediction = (more: object = {}) => {
    const output = ['https://replicate.example/1.webp', 'https://replicate.example/2.webp']
    return Response.json(
      { id: 'p1', output: null, status: 'processing', urls: {}, ...more, ...(left > 0 ? {} : { output, ...end }) },
      { status: 201 },
    )
  }
  const vendor = fakeVendor(({ path }) => {
    if (path === '/v1/predictions/p1') left--
    if (path.endsWith('/cancel')) return Response.json({ id: 'p1', status: 'canceled' })
    return prediction()
  })
  const relay = await relayFixture({ options: PRICES(FLUX, LLAMA) })
  await relay.channel(`${FLUX},${LLAMA}`, { type: REPLICATE, base_url: vendor.url })
  return { vendor, relay }
}

test('a Replicate image is created, polled until it is done, and charged per image', async () => {
  const { vendor, relay } = await replicate(2)
  const answer = await relay.post('/v1/images/generations', { model: FLUX, prompt: 'a cat', n: 2, size: '1024x1792' })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({
    created: expect.any(Number),
    data: [{ url: 'https://replicate.example/1.webp' }, { url: 'https://replicate.example/2.webp' }],
  })
  expect(vendor.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST /v1/models/${FLUX}/predictions`,
    'GET /v1/predictions/p1',
    'GET /v1/predictions/p1',
  ])
  expect(vendor.asked[0]?.body).toMatchObject({ input: { prompt: 'a cat', aspect_ratio: '9:16', num_outputs: 2 } })
  expect(vendor.asked[2]?.headers.get('authorization')).toBe('Bearer sk-upstream-key-1234')
  const { quota, detail } = await relay.onlyLog()
  expect(detail.usage.imageOutput).toBe(2000)
  expect(quota).toBe(2000 + detail.usage.input)
  expect(await relay.account()).toMatchObject({ used_quota: quota, held: 0 })
  expect(await relay.app.audit()).toEqual([])
})

test('a client that disconnects cancels the prediction and pays nothing', async () => {
  const { vendor, relay } = await replicate(1000)
  const caller = new AbortController()
  const order = relay.post('/v1/images/generations', { model: FLUX, prompt: 'a cat' }, { signal: caller.signal })
  await vendor.received('GET', '/v1/predictions/p1')
  expect((await relay.account()).held).toBeGreaterThan(0)
  caller.abort()
  await order.catch(() => {})
  await vendor.received('POST', '/v1/predictions/p1/cancel')
  await relay.atRest()
  expect(await relay.account()).toMatchObject({ used_quota: 0, held: 0 })
})

test('a prediction that failed is a failed call', async () => {
  const { vendor, relay } = await replicate(1, { status: 'failed', error: 'CUDA out of memory' })
  const answer = await relay.post('/v1/images/generations', { model: FLUX, prompt: 'a cat' })
  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('CUDA out of memory') } })
  expect(vendor.asked.some(({ path }) => path.endsWith('/cancel'))).toBe(false)
  expect(await relay.account()).toMatchObject({ used_quota: 0, held: 0 })
})

const replicateText = async (stream: (request: Request) => Response) => {
  const vendor = fakeVendor(({ path }, request) => {
    if (path === '/stream') return stream(request)
    if (path.endsWith('/cancel')) return Response.json({ id: 'p1', status: 'canceled' })
    const urls = { stream: `${vendor.url}/stream` }
    return Response.json({ id: 'p1', status: 'starting', output: null, urls }, { status: 201 })
  })
  const relay = await relayFixture({ options: PRICES(LLAMA) })
  await relay.channel(LLAMA, { type: REPLICATE, base_url: vendor.url })
  return { vendor, relay }
}

const sse = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })

test('a chat with Replicate is followed to its stream', async () => {
  const { vendor, relay } = await replicateText(() =>
    sse('event: output\nid: 1\ndata: Good\n\nevent: output\nid: 2\ndata:  morning\n\nevent: done\ndata: {}\n\n'),
  )
  const { content, done } = await readStream(await relay.chat(LLAMA, { stream: true }))
  expect(content).toBe('Good morning')
  expect(done).toBe(true)
  expect(vendor.asked.map(({ path }) => path)).toEqual([`/v1/models/${LLAMA}/predictions`, '/stream'])
  expect((await relay.onlyLog()).detail.source).toBe('estimated')
})

test('a client that disconnects from a stream of Replicate cancels the prediction', async () => {
  const { vendor, relay } = await replicateText((request) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('event: output\ndata: Good morning\n\n'))
        request.signal.addEventListener('abort', () => controller.close())
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  const caller = new AbortController()
  const answer = await relay.chat(LLAMA, { stream: true }, { signal: caller.signal })
  await answer.body?.getReader().read()
  caller.abort()
  await vendor.received('POST', '/v1/predictions/p1/cancel')
  await relay.atRest()
  expect((await relay.onlyLog()).detail.flag).toBe('client_abort')
})

/** DashScope: a task, then these answers in turn, one for each poll. */
const dashscope = async (...answers: (() => Response)[]) => {
  const vendor = fakeVendor(({ path }) => {
    if (path === '/picture.png') return new Response('PNG', { headers: { 'content-type': 'image/png' } })
    if (path.endsWith('/cancel')) return Response.json({ request_id: 'r' })
    if (!path.startsWith('/api/v1/tasks/'))
      return Response.json({ output: { task_id: 't1', task_status: 'PENDING' }, request_id: 'r' })
    return (answers.shift() ?? task('PENDING'))()
  })
  const relay = await relayFixture({ options: PRICES('wanx2.1-t2i-turbo', 'qwen-image-edit') })
  await relay.channel('wanx2.1-t2i-turbo,qwen-image-edit', { type: 17, base_url: vendor.url })
  return { vendor, relay }
}

const task =
  (task_status: string, more: object = {}) =>
  () =>
    Response.json({ output: { task_id: 't1', task_status, ...more }, request_id: 'r' })

test('a DashScope image is a task; its bytes are fetched if requested', async () => {
  const painted = { results: [] as object[] }
  const { vendor, relay } = await dashscope(task('SUCCEEDED', painted))
  painted.results.push({ url: `${vendor.url}/picture.png`, actual_prompt: 'one cat' })
  const order = { model: 'wanx2.1-t2i-turbo', prompt: 'a cat', size: '1024x1024', response_format: 'b64_json' }
  const answer = await relay.post('/v1/images/generations', order)
  expect(await answer.json()).toMatchObject({ data: [{ b64_json: btoa('PNG'), revised_prompt: 'one cat' }] })
  expect(vendor.asked[0]?.headers.get('x-dashscope-async')).toBe('enable')
  expect(vendor.asked[0]?.body).toMatchObject({ input: { prompt: 'a cat' }, parameters: { n: 1, size: '1024*1024' } })
  expect((await relay.onlyLog()).detail.usage.imageOutput).toBe(1000)
})

test('a failed poll is repeated; the task is not created twice', async () => {
  const { vendor, relay } = await dashscope(
    () => new Response('busy', { status: 503 }),
    task('SUCCEEDED', { results: [{ url: 'https://oss.example/1.png' }] }),
  )
  const answer = await relay.post('/v1/images/generations', { model: 'wanx2.1-t2i-turbo', prompt: 'a cat' })
  expect(await answer.json()).toMatchObject({ data: [{ url: 'https://oss.example/1.png' }] })
  expect(vendor.asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('a refused poll ends the task: it is cancelled', async () => {
  const { vendor, relay } = await dashscope(() =>
    Response.json({ code: 'InvalidApiKey', message: 'Invalid API-key provided.' }, { status: 401 }),
  )
  const answer = await relay.post('/v1/images/generations', { model: 'wanx2.1-t2i-turbo', prompt: 'a cat' })
  expect(answer.status).toBe(502)
  await vendor.received('POST', '/api/v1/tasks/t1/cancel')
  expect(await relay.account()).toMatchObject({ used_quota: 0, held: 0 })
})

test('a DashScope task that failed is a failed call with its message', async () => {
  const { relay } = await dashscope(task('FAILED', { code: 'DataInspectionFailed', message: 'Output is refused.' }))
  const answer = await relay.post('/v1/images/generations', { model: 'wanx2.1-t2i-turbo', prompt: 'a cat' })
  expect(answer.ok).toBe(false)
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('Output is refused') } })
  expect(await relay.account()).toMatchObject({ used_quota: 0, held: 0 })
})
