import { expect, setDefaultTimeout, test } from 'bun:test'
import { GoogleGenAI } from '@google/genai'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const FLASH = 'gemini-2.5-flash'
const UPSTREAM = 'batches/hlz0qkjr9k3v7'
/** 150 tokens at a ratio of 2, at half the price. */
const LINE_COST = 150

interface Created {
  batch: { displayName: string; inputConfig: { requests: { requests: { metadata?: object }[] } } }
}

/** A vendor with one batch, which ends when the test says so; it answers this many of its requests. */
function fakeGoogle() {
  let created: Created | undefined
  let state = 'BATCH_STATE_PENDING'
  let answered = 0
  let isLost = false
  const operation = () => {
    const requests = created?.batch.inputConfig.requests.requests ?? []
    const inlinedResponses = requests.map(({ metadata }, index) =>
      index < answered
        ? {
            response: {
              candidates: [{ content: { parts: [{ text: `The tide of ${UPSTREAM}` }] }, finishReason: 'STOP' }],
              usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50, totalTokenCount: 150 },
            },
            metadata,
          }
        : { error: { code: 13, message: 'not answered' }, metadata },
    )
    const output = { inlinedResponses: { inlinedResponses } }
    const isEnd = /SUCCEEDED|CANCELLED/.test(state)
    return {
      name: UPSTREAM,
      metadata: {
        ...{ '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch' },
        ...{ model: `models/${FLASH}-001`, displayName: created?.batch.displayName, state, name: UPSTREAM },
        ...(isEnd && { output }),
      },
      ...(isEnd && { done: true, response: output }),
    }
  }
  const vendor = fakeVendor(({ method, path, body }) => {
    if (path.endsWith(':batchGenerateContent')) {
      created = body as Created
      return isLost ? new Response('', { status: 502 }) : Response.json(operation())
    }
    if (path.endsWith(':cancel')) {
      state = 'BATCH_STATE_CANCELLED'
      return Response.json({})
    }
    if (method === 'DELETE') return Response.json({})
    if (path.includes('?')) return Response.json({ operations: [operation()] })
    return Response.json(operation())
  })
  return {
    ...vendor,
    created: () => created,
    end(lines: number, final = 'BATCH_STATE_SUCCEEDED') {
      answered = lines
      state = final
    },
    lose() {
      isLost = true
    },
  }
}

async function fixture() {
  const options = { ModelRatio: `{"${FLASH}-001":2}`, CompletionRatio: `{"${FLASH}-001":1}` }
  const own = await relayFixture({ options })
  const vendor = fakeGoogle()
  const mapping = JSON.stringify({ [FLASH]: `${FLASH}-001` })
  await own.channel(FLASH, { type: 24, base_url: vendor.url, key: 'k-google', model_mapping: mapping })
  const clientOf = (apiKey: string) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: own.app.url } })
  const run = async () => {
    await own.app.parts.jobs.find(({ name }) => name === 'batches')?.run()
  }
  return { ...own, vendor, clientOf, google: clientOf(own.key), follow: run }
}

const src = ['a', 'b', 'c'].map((key) => ({
  contents: [{ role: 'user', parts: [{ text: 'Tell me of tides' }] }],
  config: { maxOutputTokens: 200 },
  metadata: { key },
}))
const CREATION = { model: FLASH, src, config: { displayName: 'tides' } }

test('Google’s client submits a batch, finds it in the list and reads the answers, which are charged once at half price', async () => {
  const { google, vendor, account, charges, logs, app } = await fixture()
  const before = await account()
  const batch = await google.batches.create(CREATION)
  expect(batch).toMatchObject({ state: 'JOB_STATE_PENDING', displayName: 'tides', model: `models/${FLASH}` })
  const name = batch.name ?? ''
  expect(name).toMatch(/^batches\/gbatch_[0-9a-f]{32}$/)
  expect(vendor.asked[0]?.path).toBe(`/v1beta/models/${FLASH}-001:batchGenerateContent`)
  expect(vendor.asked[0]?.headers.get('x-goog-api-key')).toBe('k-google')
  expect(vendor.created()?.batch.inputConfig.requests.requests[1]).toMatchObject({
    request: { model: `models/${FLASH}-001`, generationConfig: { maxOutputTokens: 200 } },
    metadata: { key: 'b' },
  })
  expect((await account()).held).toBeGreaterThan(3 * LINE_COST)
  vendor.end(2)
  const ended = await google.batches.get({ name })
  expect(ended).toMatchObject({ name, state: 'JOB_STATE_SUCCEEDED', displayName: 'tides', model: `models/${FLASH}` })
  const [first, , third] = ended.dest?.inlinedResponses ?? []
  // What a model wrote is left alone.
  expect(first?.response?.candidates?.[0]?.content?.parts?.[0]?.text).toBe(`The tide of ${UPSTREAM}`)
  expect(first?.metadata).toEqual({ key: 'a' })
  expect(third?.error).toMatchObject({ message: 'not answered' })
  expect(await account()).toMatchObject({ quota: before.quota - 2 * LINE_COST, held: 0, request_count: 1 })
  expect(await charges()).toMatchObject([{ ref: name.slice(8), delta: -2 * LINE_COST }])
  expect((await logs()).map(({ model_name, detail }) => [model_name, detail.batch.answered])).toEqual([
    [`${FLASH}-001`, 2],
  ])
  // Requests and answers are not stored.
  const [row] = await app.db.selectFrom('batches').select(['body']).execute()
  expect(row?.body).not.toMatch(/tide|inlined|hlz0/i)
  const listed: unknown[] = []
  for await (const one of await google.batches.list()) listed.push([one.name, one.state])
  expect(listed).toEqual([[name, 'JOB_STATE_SUCCEEDED']])
  await google.batches.delete({ name })
  await expect(google.batches.get({ name })).rejects.toMatchObject({ status: 404 })
  expect(await app.audit()).toEqual([])
})

test('a cancelled batch costs what was answered, and the job settles what nobody asks for', async () => {
  const { google, vendor, account, follow, app } = await fixture()
  const before = await account()
  const { name = '' } = await google.batches.create(CREATION)
  await expect(google.batches.delete({ name })).rejects.toMatchObject({ status: 409 })
  vendor.end(1, 'BATCH_STATE_RUNNING')
  await google.batches.cancel({ name })
  expect(await account()).toMatchObject({ quota: before.quota - LINE_COST, held: 0 })
  vendor.end(0, 'BATCH_STATE_PENDING')
  await google.batches.create(CREATION)
  vendor.end(3)
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 4 * LINE_COST, held: 0 })
  await follow()
  expect(await app.audit()).toEqual([])
})

test('a batch whose creation was not answered is found again by the name that we gave it', async () => {
  const { google, vendor, account, follow, app } = await fixture()
  const before = await account()
  vendor.lose()
  await expect(google.batches.create(CREATION)).rejects.toMatchObject({ status: expect.any(Number) })
  expect((await account()).held).toBeGreaterThan(0)
  await app.db.updateTable('batches').set({ created_at: 1000 }).execute()
  await follow()
  vendor.end(3)
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 3 * LINE_COST, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('a succeeded batch without its results stays open, and nobody gets it for nothing', async () => {
  const { post, key, app, account, channel } = await fixture()
  const { url } = fakeVendor(({ path }) => {
    const done = !path.endsWith('Content') && { done: true, response: { responsesFile: 'files/x' } }
    const state = done ? 'BATCH_STATE_SUCCEEDED' : 'BATCH_STATE_PENDING'
    return Response.json({ name: 'batches/other1', metadata: { state }, ...done })
  })
  await channel('gemini-other', { type: 24, base_url: url })
  const body = {
    batch: { display_name: 'x', input_config: { requests: { requests: [{ request: { contents: [] } }] } } },
  }
  const created = await (await post('/v1beta/models/gemini-other:batchGenerateContent', body)).json()
  const got = await fetch(`${app.url}/v1beta/${created.name}`, { headers: { 'x-goog-api-key': key } })
  expect(got.status).toBeGreaterThanOrEqual(500)
  expect((await account()).held).toBeGreaterThan(0)
})

test('other users find nothing, and an invalid batch is refused before anything is sent', async () => {
  const { google, clientOf, vendor, app, post, account } = await fixture()
  const before = await account()
  const wrong: [object, number, string][] = [
    [{ batch: { displayName: 'x', inputConfig: { fileName: 'files/x' } } }, 400, 'only requests inside the batch'],
    [{ batch: { inputConfig: { requests: { requests: [] } } } }, 400, 'there is no request at all'],
    [
      { batch: { inputConfig: { requests: { requests: [{ request: { model: 'models/gemini-2.5-pro' } }] } } } },
      400,
      'path',
    ],
    [{}, 400, 'batch'],
  ]
  for (const [body, status, words] of wrong) {
    const answer = await post(`/v1beta/models/${FLASH}:batchGenerateContent`, body)
    const { error } = await answer.json()
    expect([answer.status, error]).toMatchObject([status, { code: status, message: expect.stringContaining(words) }])
  }
  const missing = await post('/v1beta/models/nobody:batchGenerateContent', {
    batch: { inputConfig: { requests: { requests: [{ request: { contents: [] } }] } } },
  })
  expect(missing.status).toBeGreaterThanOrEqual(400)
  expect(vendor.asked).toEqual([])
  expect(await account()).toEqual(before)
  const { name = '' } = await google.batches.create(CREATION)
  const other = clientOf(await keyOf((await makeUser(app, { quota: 1_000_000 })).client))
  const asked = vendor.asked.length
  for (const attempt of [
    () => other.batches.get({ name }),
    () => other.batches.cancel({ name }),
    () => other.batches.delete({ name }),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404 })
  expect(vendor.asked.length).toBe(asked)
  const poor = clientOf(await keyOf((await makeUser(app, { quota: 10 })).client))
  await expect(poor.batches.create(CREATION)).rejects.toMatchObject({ status: 429 })
  expect(await app.audit()).toEqual([])
})

const EMBEDDING = 'gemini-embedding-001'

/** A vendor whose batch of embeddings has ended, with these answers. */
function fakeEmbeddings(answers: object[], place: 'inlinedResponses' | 'inlinedEmbedContentResponses') {
  let isOver = false
  const operation = () => {
    const output = { [place]: { inlinedResponses: answers } }
    const state = isOver ? 'BATCH_STATE_SUCCEEDED' : 'BATCH_STATE_PENDING'
    return {
      name: UPSTREAM,
      metadata: { name: UPSTREAM, state, ...(isOver && { output }) },
      ...(isOver && { done: true }),
    }
  }
  const vendor = fakeVendor(() => Response.json(operation()))
  return { ...vendor, end: () => (isOver = true) }
}

test.each(['inlinedResponses', 'inlinedEmbedContentResponses'] as const)(
  'a batch of embeddings, with its answers in %s, is charged once by the counted input',
  async (place) => {
    const own = await relayFixture({ options: { ModelRatio: `{"${EMBEDDING}":2}` } })
    const vendor = fakeEmbeddings(
      [
        { response: { embedding: { values: [0.1, 0.2] }, tokenCount: '100' } },
        { response: { embedding: { values: [0.3, 0.4] }, usageMetadata: { promptTokenCount: 50 } } },
        { error: { code: 13, message: 'not answered' } },
      ],
      place,
    )
    await own.channel(EMBEDDING, { type: 24, base_url: vendor.url, key: 'k-google' })
    const google = new GoogleGenAI({ apiKey: own.key, httpOptions: { baseUrl: own.app.url } })
    const before = await own.account()
    const inlinedRequests = { contents: ['tides', 'ebb', 'flow'], config: { outputDimensionality: 64 } }
    const { name = '' } = await google.batches.createEmbeddings({ model: EMBEDDING, src: { inlinedRequests } })
    expect(vendor.asked[0]?.path).toBe(`/v1beta/models/${EMBEDDING}:asyncBatchEmbedContent`)
    expect(vendor.asked[0]?.body).toMatchObject({
      batch: {
        inputConfig: {
          requests: {
            requests: ['tides', 'ebb', 'flow'].map((text) => ({
              request: { model: `models/${EMBEDDING}`, content: { parts: [{ text }] }, outputDimensionality: 64 },
            })),
          },
        },
      },
    })
    expect((await own.account()).held).toBeGreaterThan(0)
    vendor.end()
    await google.batches.get({ name })
    const ended = await fetch(`${own.app.url}/v1beta/${name}`, { headers: { 'x-goog-api-key': own.key } })
    expect(await ended.json()).toMatchObject({
      metadata: {
        output: { [place]: { inlinedResponses: [{ response: { embedding: { values: [0.1, 0.2] } } }, {}, {}] } },
      },
    })
    // 150 tokens at a ratio of 2, at half the price.
    expect(await own.account()).toMatchObject({ quota: before.quota - 150, held: 0, request_count: 1 })
    expect(await own.charges()).toHaveLength(1)
    expect(await own.onlyLog()).toMatchObject({ prompt_tokens: 150, detail: { batch: { answered: 2, unreported: 0 } } })
    expect(await own.app.audit()).toEqual([])
  },
)
