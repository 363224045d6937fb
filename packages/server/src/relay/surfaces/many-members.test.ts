import { expect, setDefaultTimeout, test } from 'bun:test'
import { BATCH_STRINGS_MAX } from '../../batches/batch-lines.ts'
import { hasTooManyStrings } from '../../common/too-many-strings.ts'
import { batchFixture } from '../../testing/batch-fixture.ts'

// Bodies of many megabytes, possibly on a busy machine.
setDefaultTimeout(60_000)

/** Short names, with a blank where JSON allows one. */
const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}" :1`).join()}}`
const MANY = members(600_000)
/** A batch of messages has room for fifty thousand requests. */
const TOO_MANY_FOR_BATCH = members(1_600_000)

test('very many names are too many, and long texts, lists of numbers and images are not', () => {
  expect(hasTooManyStrings(MANY)).toBe(true)
  expect(hasTooManyStrings(JSON.stringify(Array.from({ length: 600_000 }, () => ({ '': '' }))))).toBe(true)
  for (const fine of [members(400_000), JSON.stringify(MANY), `[${'1,'.repeat(4_000_000)}1]`, `"${'A'.repeat(9e6)}"`]) {
    expect(hasTooManyStrings(fine)).toBe(false)
  }
})

test('the largest batch of small requests is not too many', () => {
  const request = (id: number) => ({
    custom_id: `request-${id}`,
    params: { model: 'claude', max_tokens: 9, system: 'Be short', messages: [{ role: 'user', content: 'Hello' }] },
  })
  const requests = Array.from({ length: 50_000 }, (_, id) => request(id))
  expect(hasTooManyStrings(JSON.stringify({ requests }), BATCH_STRINGS_MAX)).toBe(false)
})

test('a call with very many members is refused on every surface that reads JSON, before anything is held or sent', async () => {
  const { app, key, upstream, vendor, openHolds } = await batchFixture()
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new File([`{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":${MANY}}`], 'in.jsonl'))
  const sent = [
    ...['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/embeddings', '/v1beta/models/a:generateContent'],
    ...['/v1/batches', '/v1/messages/batches', '/mj/submit/imagine', '/v1/videos'],
  ].map((path) => {
    const metadata = path === '/v1/messages/batches' ? TOO_MANY_FOR_BATCH : MANY
    return { path, body: `{"model":"a","metadata":${metadata}}`, headers: { 'content-type': 'application/json' } }
  })
  for (const { path, ...request } of [...sent, { path: '/v1/files', body: form, headers: {} }]) {
    const headers = { ...request.headers, authorization: `Bearer ${key}` }
    const response = await fetch(app.url + path, { ...request, method: 'POST', headers })
    expect([path, response.status, await response.text()]).toEqual([
      path,
      400,
      expect.stringContaining('too many members'),
    ])
  }
  expect([upstream.journal, vendor.asked, await openHolds()]).toEqual([[], [], []])
})
