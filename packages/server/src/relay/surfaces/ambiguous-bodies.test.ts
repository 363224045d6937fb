import { expect, test } from 'bun:test'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { ambiguityOf } from './splice.ts'

const isAmbiguous = ambiguityOf(['model', 'n', 'max_tokens'])
const isUnclear = (text: string) => isAmbiguous(text, JSON.parse(text))

test('a body is ambiguous where parsers could disagree about its meaning', () => {
  expect(isUnclear('{"model":"a","messages":[]}')).toBe(false)
  expect(isUnclear('{"model":"a","model":"b"}')).toBe(true)
  expect(isUnclear('{"n":128, "messages":[{"n":1}] , "n" : 1}')).toBe(true)
  expect(isUnclear('{"model":"a","mod\\u0065l":"b"}')).toBe(true)
  expect(isUnclear('{"mod\\u0065l":"b"}')).toBe(true)
})

test('the same names further inside, or in text, are not ambiguous', () => {
  expect(isUnclear('{"model":"a","tools":[{"model":"x"}],"messages":["\\"model\\": caf\\u00e9"]}')).toBe(false)
  expect(isUnclear('{"model":"model","n":1,"user":"n"}')).toBe(false)
})

test('a form with a duplicate field is sent with the one that was read', async () => {
  const { channel, post, upstream } = await relayFixture()
  await channel('pictures')
  const form = new FormData()
  for (const [name, value] of [
    ...[
      ['model', 'pictures'],
      ['model', 'dear'],
      ['n', '1'],
      ['n', '10'],
      ['prompt', 'a cat'],
    ],
    ...[
      ['image', 'one'],
      ['image', 'two'],
    ],
  ])
    form.append(name ?? '', value ?? '')
  expect((await post('/v1/images/edits', form)).status).toBe(200)
  expect(upstream.journal[0]?.body).toMatchObject({ model: 'pictures', n: '1' })
})

test('the vendor gets what was allowed and priced here, however a body is spelled', async () => {
  const { channel, key, app, upstream } = await relayFixture()
  await channel('cheap', { model_mapping: '{"cheap":"say/5"}' })
  const spellings = [
    '{"model":"dear","model":"cheap","messages":[]}',
    '{"model":"dear","mod\\u0065l":"cheap","messages":[]}',
    '{"mod\\u0065l":"cheap","messages":[]}',
  ]
  for (const body of spellings) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${app.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
  }
  expect(upstream.journal.map(({ model }) => model)).toEqual(spellings.map(() => 'say/5'))
  expect(upstream.journal.map(({ body }) => Object.keys(body))).toEqual(spellings.map(() => ['model', 'messages']))
})
