import { expect, test } from 'bun:test'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../testing/relay-fixture.ts'

/* Anthropic reports the input at the beginning of a stream and the output at its end. */

const ANTHROPIC = 14
const INPUT = 50
const WORDS = 10
/** Each is four bytes, which count as one token. */
const WORD = ' sea'

const event = (body: { type: string; [more: string]: unknown }) =>
  `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`
const said = () => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORD } })
const OVERLOADED = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
const encoder = new TextEncoder()
const BEGINNING = [
  event({
    type: 'message_start',
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null },
      usage: { input_tokens: 40, cache_read_input_tokens: 10, output_tokens: 1 },
    },
  }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ...Array.from({ length: WORDS }, said),
].join('')

/** Sends all but the end, and then waits until the caller disconnects, or until it should break off. */
const fixture = async () => {
  const { promise: broken, resolve: breakOff } = Promise.withResolvers<void>()
  const vendor = fakeVendor(() => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(encoder.encode(BEGINNING)),
      async pull(controller) {
        await broken
        controller.enqueue(encoder.encode(OVERLOADED))
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  const relay = await relayFixture({ options: { ModelRatio: '{"m":1}', CompletionRatio: '{"m":1}' } })
  await relay.channel('m', { type: ANTHROPIC, base_url: vendor.url })
  return { ...relay, breakOff }
}

/** Reads until every word has arrived. */
async function received(response: Response) {
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  while (text.split(WORD).length <= WORDS) text += (await reader?.read())?.value ?? ''
  const rest = async () => {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) text += next.value
    return text
  }
  return { rest }
}

const BODY = { model: 'm', stream: true, max_tokens: 100, messages: MESSAGES }
const SURFACES = ['/v1/messages', '/v1/chat/completions']

test.each(SURFACES)(
  'a client that disconnects before the usage was reported pays for what was delivered (%s)',
  async (path) => {
    const { post, charges, onlyLog, atRest, app } = await fixture()
    const caller = new AbortController()
    await received(await post(path, BODY, { signal: caller.signal }))
    caller.abort()
    await atRest()
    expect(await charges()).toMatchObject([{ delta: -(INPUT + WORDS) }])
    expect((await onlyLog()).detail).toMatchObject({
      usage: { input: 40, cachedInput: 10, output: WORDS },
      source: 'estimated',
      flag: 'client_abort',
    })
    expect(await app.audit()).toEqual([])
  },
)

test.each(SURFACES)('so does the caller of a vendor that breaks off before its report (%s)', async (path) => {
  const { post, charges, onlyLog, atRest, breakOff } = await fixture()
  const { rest } = await received(await post(path, BODY))
  breakOff()
  await rest()
  await atRest()
  expect(await charges()).toMatchObject([{ delta: -(INPUT + WORDS) }])
  expect((await onlyLog()).detail).toMatchObject({ source: 'estimated', flag: 'partial' })
})

test.each(SURFACES)('a stream without content is a failed call, and costs nothing (%s)', async (path) => {
  const headers = { 'content-type': 'text/event-stream' }
  const vendor = fakeVendor(() => new Response('', { headers }))
  const relay = await relayFixture()
  await relay.channel('m', { type: ANTHROPIC, base_url: vendor.url })
  const response = await relay.post(path, BODY)
  expect(response.status).toBe(502)
  expect(await relay.charges()).toEqual([])
})

test.each([false, true])('a report of zero for an answer is ignored (stream: %p)', async (stream) => {
  const { channel, chat, charges, onlyLog } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('fixed/0/0')
  await (await chat('fixed/0/0', { stream })).text()
  const { quota, detail } = await onlyLog()
  expect(quota).toBeGreaterThan(0)
  expect(await charges()).toMatchObject([{ delta: -quota }])
  expect(detail.source).toBe('estimated')
})
