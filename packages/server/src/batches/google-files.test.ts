import { expect, setDefaultTimeout, test } from 'bun:test'
import { createPartFromUri, FileState, GoogleGenAI } from '@google/genai'
import { makeUser } from '../testing/makers.ts'
import { keyOf, relayFixture } from '../testing/relay-fixture.ts'
import { fakeGoogleFiles } from '../testing/vendors/fake-google-files.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const FLASH = 'gemini-2.5-flash'

async function fixture() {
  const own = await relayFixture({ options: { ModelRatio: `{"${FLASH}":2}`, CompletionRatio: `{"${FLASH}":1}` } })
  const vendor = fakeGoogleFiles()
  const channel = (fields: object = {}, models = FLASH) =>
    own.channel(models, { type: 24, base_url: vendor.url, key: 'k-google', ...fields })
  const clientOf = (apiKey: string, baseUrl = own.app.url) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl } })
  const google = clientOf(own.key)
  const upload = (text = 'Noon.', client = google) =>
    client.files.upload({ file: new Blob([text], { type: 'text/plain' }), config: { displayName: 'tides' } })
  const read = (files: { uri?: string; mimeType?: string }[], model = FLASH, client = google) =>
    client.models.generateContent({
      model,
      contents: [{ role: 'user', parts: files.map(({ uri = '' }) => createPartFromUri(uri, 'text/plain')) }],
    })
  return { ...own, vendor, channel, clientOf, google, upload, read }
}

const refused = (asked: Promise<unknown>) =>
  asked.then(
    () => 'not refused',
    (error: { status?: number; message?: string }) => `${error.status} ${error.message}`,
  )

test("Google's client uploads a file, reads it in calls, lists and deletes it", async () => {
  const { channel, google, upload, read, vendor, onlyLog } = await fixture()
  const { id } = await channel()
  const file = await upload()
  expect(file).toMatchObject({ displayName: 'tides', state: 'ACTIVE', sizeBytes: '5' })
  expect(file.name).toMatch(/^files\/[0-9a-f]{32}$/)
  expect((await google.files.get({ name: file.name ?? '' })).uri).toBe(file.uri)
  const listed = []
  for await (const one of await google.files.list({ config: { pageSize: 10 } })) listed.push(one.name)
  expect(listed).toEqual([file.name])
  const answer = await read([file])
  expect(answer.text).toBe('Read 1')
  // 150 tokens at a ratio of 2.
  expect(await onlyLog()).toMatchObject({ channel: id, quota: 300 })
  await google.files.delete({ name: file.name ?? '' })
  expect(vendor.files.size).toBe(0)
  expect(await refused(google.files.get({ name: file.name ?? '' }))).toContain('404')
  expect(await refused(read([file]))).toContain('There is no file')
})

test('a file is streamed through in pieces, whoever sends them, and no further than was announced', async () => {
  const { app, channel, upload, vendor, key } = await fixture()
  await channel()
  const text = 'tide '.repeat(2_000_000)
  const { name = '' } = await upload(text)
  const { content = [] } = vendor.files.get(name) ?? {}
  expect(content.length).toBe(2)
  expect(Buffer.concat(content).toString()).toBe(text)

  const headers = { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-header-content-type': 'text/plain' }
  const begin = (more: object) =>
    fetch(`${app.url}/upload/v1beta/files?key=${key}`, {
      method: 'POST',
      headers: { ...headers, 'x-goog-upload-command': 'start', 'x-goog-upload-header-content-length': '5', ...more },
    })
  const started = await begin({})
  const url = started.headers.get('x-goog-upload-url') ?? ''
  expect(url).toStartWith(`${app.url}/upload/v1beta/files?upload_id=`)
  const send = (to: string, body: string, command: string, offset = 0) =>
    fetch(to, {
      method: 'POST',
      headers: { 'x-goog-upload-command': command, 'x-goog-upload-offset': `${offset}` },
      body,
    })
  expect((await send(url, 'Noon', 'upload')).headers.get('x-goog-upload-status')).toBe('active')
  expect((await send(url, '', 'query')).headers.get('x-goog-upload-size-received')).toBe('4')
  expect((await send(url, 'More', 'upload, finalize', 4)).status).toBe(400)
  expect((await send(url.replace(/(upload_id=\w+\.)[\w-]{8}/, '$1AAAAAAAA'), '.', 'upload, finalize', 4)).status).toBe(
    404,
  )
  const done = await send(url, '.', 'upload, finalize', 4)
  expect(done.headers.get('x-goog-upload-status')).toBe('final')
  expect(await done.json()).toMatchObject({ file: { state: 'ACTIVE', sizeBytes: '5' } })
  expect((await send(url, '.', 'upload, finalize', 5)).status).toBe(404)
  expect((await begin({ 'x-goog-upload-protocol': 'multipart' })).status).toBe(400)
  expect((await begin({ 'x-goog-upload-header-content-length': '3000000000' })).status).toBe(400)
})

test("a file is its owner's alone, in every call", async () => {
  const { app, channel, upload, read, clientOf, post, key } = await fixture()
  await channel()
  const other = await makeUser(app, { quota: 1_000_000 })
  const stranger = clientOf(await keyOf(other.client))
  const file = await upload()
  const { name = '', uri = '' } = file
  expect(await refused(stranger.files.get({ name }))).toContain('404')
  expect(await refused(stranger.files.delete({ name }))).toContain('404')
  expect(await refused(read([file], FLASH, stranger))).toContain('There is no file')
  const parts = [{ file_data: { file_uri: uri } }]
  expect(
    await refused(
      stranger.models.countTokens({
        model: FLASH,
        contents: [{ role: 'user', parts: [{ fileData: { fileUri: uri } }] }],
      }),
    ),
  ).toContain('There is no file')
  const snake = await post(`/v1beta/models/${FLASH}:generateContent`, { contents: { parts } })
  expect(snake.status).toBe(200)
  const result = { functionResponse: { name: 'f', response: {}, parts: [{ fileData: { fileUri: uri } }] } }
  const strangerKey = await keyOf(other.client)
  const nested = await post(
    `/v1beta/models/${FLASH}:generateContent`,
    { contents: [{ parts: [result] }] },
    { key: strangerKey },
  )
  expect(nested.status).toBe(404)
  // The other APIs have no such files, their owner included.
  for (const caller of [key, strangerKey]) {
    const chat = await post(
      '/v1/chat/completions',
      { model: FLASH, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: uri } }] }] },
      { key: caller },
    )
    expect(chat.status).toBe(400)
    expect(await chat.text()).toContain("uploaded by Google's API")
  }
  for (const path of [`/v1/files/${name.slice(6)}`, '/v1/files']) {
    const answer = await fetch(app.url + path, { headers: { authorization: `Bearer ${key}` } })
    expect(await answer.text()).not.toContain(`"id":"${name.slice(6)}"`)
  }
})

test('calls go to the channel that has their files, and say why when it cannot answer', async () => {
  const { channel, upload, read, onlyLog, vendor } = await fixture()
  const first = await channel({ priority: 5 })
  const file = await upload()
  await channel({ priority: 9 }, `${FLASH},gemini-3-pro`)
  const again = await upload('Six.')
  expect((await read([file, again])).text).toBe('Read 2')
  const { channel: answered, detail } = await onlyLog()
  expect(answered).toBe(first.id)
  expect(JSON.stringify(detail.candidates)).toContain('does not have the files of the call')
  expect(await refused(read([file], 'gemini-3-pro'))).toContain('does not offer you the model gemini-3-pro')
  expect(vendor.asked.filter(({ path }) => path.endsWith('gemini-3-pro:generateContent'))).toEqual([])
})

test('a file belongs to one key of a pool', async () => {
  const { channel, upload, read, vendor } = await fixture()
  await channel({ key: 'k-one\nk-two\nk-three', key_pool: true })
  const file = await upload()
  const [{ key } = { key: '' }] = vendor.asked
  for (let call = 0; call < 6; call++) expect((await read([file])).text).toBe('Read 1')
  const answered = vendor.asked.filter(({ path }) => path.includes(':generateContent'))
  expect(new Set(answered.map((one) => one.key))).toEqual(new Set([key]))
})

test('another channel takes a file that the first refuses, and none is told so', async () => {
  const { channel, upload, vendor, google } = await fixture()
  expect(await refused(upload())).toContain('only channels of Google Gemini')
  await channel({ key: 'k-out', priority: 9 })
  await channel({ key: 'k-google' })
  const full = { error: { code: 429, message: 'The storage is full', status: 'RESOURCE_EXHAUSTED' } }
  vendor.refuse((key) => (key === 'k-out' ? Response.json(full, { status: 429 }) : undefined))
  const { name = '' } = await upload()
  expect(vendor.files.get(name)?.key).toBe('k-google')
  const named = google.files.upload({ file: new Blob(['x']), config: { name: 'mine', mimeType: 'text/plain' } })
  expect(await refused(named)).toContain('named by the gateway')
})

test('a file that is still processed is shown as it becomes, and goes after two days', async () => {
  const { app, channel, google, upload, vendor } = await fixture()
  await channel()
  vendor.become('PROCESSING')
  const { name = '', state } = await upload()
  expect(state).toBe(FileState.PROCESSING)
  vendor.become('ACTIVE')
  const states = []
  for await (const one of await google.files.list()) states.push(one.state)
  expect(states).toEqual([FileState.ACTIVE])
  app.clock.pass(48 * 3600)
  expect(await refused(google.files.get({ name }))).toContain('404')
  await app.parts.jobs.find((job) => job.name === 'batches')?.run()
  expect(await app.db.selectFrom('files').select('id').execute()).toEqual([])
})

test('who cannot pay for a call stores nothing', async () => {
  const { app, channel, clientOf, upload, vendor } = await fixture()
  await channel()
  const poor = await makeUser(app, { quota: 0 })
  expect(await refused(upload('Noon.', clientOf(await keyOf(poor.client))))).toContain('429')
  expect(vendor.files.size).toBe(0)
})
