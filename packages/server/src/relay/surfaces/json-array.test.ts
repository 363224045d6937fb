import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { asJsonArray } from './json-array.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
const EVENTS = { headers: { 'content-type': 'text/event-stream' } }

const said = (text: string) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] })
const END = {
  candidates: [{ finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
}

const pathOf = (model: string, query = '') => `/v1beta/models/${model}:streamGenerateContent${query}`

async function geminiSaying(...events: object[]) {
  const fixture = await relayFixture()
  const vendor = fakeVendor(
    () => new Response(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''), EVENTS),
  )
  await fixture.channel('gemini-2.5-flash', { type: 24, base_url: vendor.url, key: 'k' })
  return fixture
}

test('without alt=sse a stream of Google’s dialect is one JSON array, with the same elements and the same charge', async () => {
  const { post, logs, app } = await geminiSaying(said('a\n\n: b'), said('c'), END)
  const events = await post(pathOf('gemini-2.5-flash', '?alt=sse'), CONTENTS)
  expect(events.headers.get('content-type')).toBe('text/event-stream')
  expect(await events.text()).toStartWith('data: {')

  for (const query of ['', '?alt=json', '?key=x']) {
    const answer = await post(pathOf('gemini-2.5-flash', query), CONTENTS)
    expect(answer.headers.get('content-type')).toStartWith('application/json')
    const text = await answer.text()
    expect(JSON.parse(text)).toEqual([said('a\n\n: b'), said('c'), END])
    expect(text).toContain('}\n,\r\n{')
  }
  const quotas = (await logs()).map(({ quota }) => quota)
  expect(new Set(quotas).size).toBe(1)
  expect(await app.audit()).toEqual([])
})

test('a translated stream is the same array', async () => {
  const { channel, post } = await relayFixture()
  await channel('gpt-4o-mini')
  const elements: { candidates: { content: { parts: { text: string }[] }; finishReason?: string }[] }[] = JSON.parse(
    await (await post(pathOf('gpt-4o-mini'), CONTENTS)).text(),
  )
  const texts = elements.map(({ candidates }) => candidates[0]?.content.parts[0]?.text)
  expect(texts.join('')).toBe('The bar goes up when the toll is paid.')
  expect(elements.length).toBeGreaterThan(2)
  expect(elements.at(-1)?.candidates[0]?.finishReason).toBe('STOP')
})

test('each element is sent as soon as it exists', async () => {
  const { channel, post } = await relayFixture()
  const received = Promise.withResolvers<void>()
  const vendor = fakeVendor(() => {
    async function* words() {
      yield `data: ${JSON.stringify(said('first'))}\n\n`
      await received.promise
      yield `data: ${JSON.stringify(END)}\n\n`
    }
    // Bun accepts a generator as a body; the DOM's types do not know that.
    return new Response(words() as unknown as BodyInit, EVENTS)
  })
  await channel('gemini-2.5-flash', { type: 24, base_url: vendor.url, key: 'k' })
  const answer = await post(pathOf('gemini-2.5-flash'), CONTENTS)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk)
    if (text === `[${JSON.stringify(said('first'))}`) received.resolve()
  }
  expect(JSON.parse(text)).toEqual([said('first'), END])
})

test('an error in the middle is the last element, and one before the first is the only element', async () => {
  const { post } = await geminiSaying(said('first'))
  const cut = JSON.parse(await (await post(pathOf('gemini-2.5-flash'), CONTENTS)).text())
  expect(cut).toEqual([said('first'), { error: expect.objectContaining({ code: 502 }) }])

  for (const [model, key, status] of [
    ['nobody', undefined, 404],
    ['gemini-2.5-flash', 'sk-wrong', 401],
  ] as const) {
    const refused = await post(pathOf(model), CONTENTS, key === undefined ? {} : { key })
    expect(refused.status).toBe(status)
    expect(await refused.json()).toEqual([{ error: expect.objectContaining({ code: status }) }])
    const refusal = await post(pathOf(model, '?alt=sse'), CONTENTS, key === undefined ? {} : { key })
    expect(await refusal.json()).toEqual({ error: expect.objectContaining({ code: status }) })
  }
})

test('a client that disconnects in the middle of an array pays for what it received', async () => {
  const { channel, post, atRest, onlyLog, app } = await relayFixture()
  const vendor = fakeVendor((_, { signal }) => {
    async function* words() {
      yield `data: ${JSON.stringify(said('first '.repeat(20)))}\n\n`
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    // Bun accepts a generator as a body; the DOM's types do not know that.
    return new Response(words() as unknown as BodyInit, EVENTS)
  })
  await channel('gemini-2.5-flash', { type: 24, base_url: vendor.url, key: 'k' })
  const leaving = new AbortController()
  const answer = await post(pathOf('gemini-2.5-flash'), CONTENTS, { signal: leaving.signal })
  await answer.body?.getReader().read()
  leaving.abort()
  await atRest()
  expect((await onlyLog()).detail).toMatchObject({ flag: 'client_abort' })
  expect(await app.audit()).toEqual([])
})

const arrayOf = async (...pieces: string[]) => {
  async function* chunks() {
    for (const piece of pieces) yield new TextEncoder().encode(piece)
  }
  let text = ''
  for await (const bytes of asJsonArray(chunks())) text += new TextDecoder().decode(bytes)
  return text
}

test('events are elements wherever their bytes are split, and whatever is between them', async () => {
  const events = ': hello\n\nevent: x\ndata: {"a":\ndata: 1}\n\ndata:{"b":"ü\\n"}\n\n\n'
  for (let at = 0; at < events.length; at++) {
    expect(JSON.parse(await arrayOf(events.slice(0, at), events.slice(at)))).toEqual([{ a: 1 }, { b: 'ü\n' }])
  }
  expect(await arrayOf()).toBe('[]')
})
