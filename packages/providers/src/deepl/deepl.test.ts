import { expect, test } from 'bun:test'
import { adapterSuite } from '../testing/adapter-suite.ts'
import { contentOf, decodeStream, encoded, failureFrom, fixturesOf, offered, WEATHER } from '../testing/vendor-kit.ts'
import { deepl } from './deepl.ts'

const chat = offered(deepl, 'chat')
const recorded = fixturesOf(import.meta.url)

test('the user’s last message is translated into the language of the model’s name', async () => {
  const { url, headers, body } = await encoded(
    chat,
    {
      model: 'deepl-en-us',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Translate.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Guten' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Good' }] },
        { role: 'user', content: [{ type: 'text', text: 'Morgen' }] },
      ],
    },
    { key: 'the-key:fx' },
  )
  expect(url).toBe('https://vendor.example/v2/translate')
  expect(headers.authorization).toBe('DeepL-Auth-Key the-key:fx')
  expect(body).toEqual({ text: ['Morgen'], target_lang: 'EN-US', show_billed_characters: true })
})

test('the default language is Chinese', async () => {
  expect((await encoded(chat, { model: 'deepl' })).body.target_lang).toBe('ZH')
  expect((await encoded(chat, { model: 'deepl-ja' })).body.target_lang).toBe('JA')
})

test('a key of the paid plan uses the paid host', async () => {
  const urlFor = async (key: string, baseUrl: string) => (await encoded(chat, {}, { key, baseUrl })).url
  expect(await urlFor('k', 'https://api-free.deepl.com')).toBe('https://api.deepl.com/v2/translate')
  expect(await urlFor('k:fx', 'https://api-free.deepl.com')).toBe('https://api-free.deepl.com/v2/translate')
  expect(await urlFor('k', 'https://mine.example')).toBe('https://mine.example/v2/translate')
})

test('tools are refused by name', async () => {
  expect(await failureFrom(() => encoded(chat, { tools: [WEATHER] }))).toMatchObject({ param: 'tools' })
})

test('a translation is a whole answer without usage', () => {
  const body = recorded.json('text')
  expect(chat.always).toBe('whole')
  expect(contentOf(chat.decode(body))).toMatchObject({
    usage: undefined,
    choices: [{ finish: 'stop', blocks: [{ type: 'text', text: 'Guten Morgen, Ada.' }] }],
  })
  expect(decodeStream(chat, [{ event: '', data: JSON.stringify(body) }])).toEqual(chat.decode(body))
})

test('usage is reported in characters', () => {
  const translations = [{ detected_source_language: 'EN', text: 'Guten Morgen, Ada.', billed_characters: 18 }]
  expect(contentOf(chat.decode({ translations }))).toMatchObject({ usage: { characters: 18, input: 0, output: 0 } })
})

test('an exhausted account is the channel’s problem', () => {
  const failure = deepl.explain(456, '{"message":"Quota for this billing period has been exceeded."}', new Headers())
  expect(failure).toMatchObject({ class: 'quota', blame: 'channel', status: 456 })
})

adapterSuite({
  name: 'deepl',
  chat,
  answers: {
    text: { whole: recorded.json('text'), events: [{ event: '', data: JSON.stringify(recorded.json('text')) }] },
  },
  silent: [],
  failure: { event: '', data: '{"message":"broken"}' },
})
