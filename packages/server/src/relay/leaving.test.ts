import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* A client that disconnects before the vendor has reported its usage. Every token costs 1. */

const WORDS = 20
/** Each is four bytes, which count as one token. */
const WORD = ' sea'
const PROMPT = 6
const USAGE = { prompt_tokens: 8000, completion_tokens: WORDS, total_tokens: 8000 + WORDS }

const frame = (fields: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`
const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const said = frame(choice({ content: WORD }))
const END = `${frame(choice({}, 'stop'))}${frame({ choices: [], usage: USAGE })}data: [DONE]\n\n`

/** Sends every word at once, and the rest on demand. */
async function fixtureOf(
  more: (controller: ReadableStreamDefaultController<string>, left: () => Promise<void>) => Promise<void>,
  options: Record<string, number> = {},
) {
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>()
  /** Resolves when the gateway has noticed that its client disconnected. */
  const left = async () => {
    while (relay.app.openRequests() > 0) await Bun.sleep(5)
  }
  const vendor = fakeVendor(() => {
    const body = new ReadableStream<string>({
      start: (controller) => controller.enqueue(said.repeat(WORDS)),
      pull: (controller) => more(controller, left),
      cancel,
    })
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } })
  })
  const relay = await relayFixture({ options: { ModelRatio: '{"m":1}', CompletionRatio: '{"m":1}', ...options } })
  await relay.channel('m', { base_url: vendor.url })
  return { ...relay, cancelled }
}

/** Reads every word, then disconnects. */
async function leave({ chat }: Pick<Awaited<ReturnType<typeof relayFixture>>, 'chat'>) {
  const client = new AbortController()
  const response = await chat('m', { stream: true, messages: MESSAGES }, { signal: client.signal })
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  while (text.split(WORD).length <= WORDS) text += (await reader?.read())?.value ?? ''
  client.abort()
}

test('a client that disconnects just before the usage pays what the vendor reports', async () => {
  const fixture = await fixtureOf(async (controller, left) => {
    await left()
    controller.enqueue(END)
    controller.close()
  })
  await leave(fixture)
  await fixture.atRest()
  expect(await fixture.charges()).toMatchObject([{ delta: -(8000 + WORDS) }])
  expect((await fixture.onlyLog()).detail).toMatchObject({ flag: 'client_abort', source: 'reported' })
  expect(await fixture.account()).toMatchObject({ held: 0, request_count: 1 })
  expect(await fixture.app.audit()).toEqual([])
})

test('a vendor that still has long to go is aborted after a few seconds, and what was delivered is charged', async () => {
  const fixture = await fixtureOf(async (controller, left) => {
    await left()
    await Bun.sleep(100)
    controller.enqueue(said)
  })
  const startedAt = Date.now()
  await leave(fixture)
  await fixture.cancelled
  expect(Date.now() - startedAt).toBeGreaterThan(4500)
  await fixture.atRest()
  const { quota, detail } = await fixture.onlyLog()
  // One more word may have been in transit.
  expect(quota).toBeWithin(PROMPT + WORDS, PROMPT + WORDS + 2)
  expect(detail).toMatchObject({ flag: 'client_abort', source: 'estimated' })
  expect(await fixture.charges()).toMatchObject([{ delta: -quota }])
  expect(await fixture.app.audit()).toEqual([])
})

test('a vendor that writes very much is aborted long before that', async () => {
  let written = 0
  const fixture = await fixtureOf(async (controller, left) => {
    await left()
    await Bun.sleep(1)
    const flood = said.repeat(500)
    written += flood.length
    controller.enqueue(flood)
  })
  await leave(fixture)
  await fixture.atRest()
  // In five seconds it would be hundreds; what is in transit is more than what is read.
  expect(written).toBeLessThan(32 * 1024 * 1024)
  expect((await fixture.onlyLog()).quota).toBeLessThan(PROMPT + WORDS + 2)
  expect(await fixture.app.audit()).toEqual([])
})

test('if reading on is disabled, the vendor is aborted at once, and what was delivered is charged', async () => {
  const fixture = await fixtureOf(() => new Promise(() => {}), { ReadOnSeconds: 0 })
  await leave(fixture)
  await fixture.cancelled
  await fixture.atRest()
  expect(await fixture.charges()).toMatchObject([{ delta: -(PROMPT + WORDS) }])
  expect((await fixture.onlyLog()).detail).toMatchObject({ flag: 'client_abort', source: 'estimated' })
  expect(await fixture.app.audit()).toEqual([])
})

test('a vendor that closes without usage after the client disconnected ends the call at once', async () => {
  const fixture = await fixtureOf(async (controller, left) => {
    await left()
    controller.close()
  })
  await leave(fixture)
  await fixture.atRest()
  expect(await fixture.charges()).toMatchObject([{ delta: -(PROMPT + WORDS) }])
  expect(await fixture.app.audit()).toEqual([])
})
