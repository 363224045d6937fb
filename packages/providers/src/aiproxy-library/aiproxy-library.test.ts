import { expect, test } from 'bun:test'
import { adapterSuite } from '../testing/adapter-suite.ts'
import { CONVERSATION, contentOf, encoded, failureFrom, fixturesOf, offered } from '../testing/vendor-kit.ts'
import { aiproxyLibrary } from './aiproxy-library.ts'

const chat = offered(aiproxyLibrary, 'chat')
const recorded = fixturesOf(import.meta.url)

test('a library receives a single question', async () => {
  const { url, headers, body } = await encoded(
    chat,
    { model: 'gpt-4o-mini', stream: true, messages: CONVERSATION },
    { other: 'lib-1' },
  )
  expect(url).toBe('https://vendor.example/api/library/ask')
  expect(headers.authorization).toBe('Bearer the-key')
  expect(body).toEqual({ model: 'gpt-4o-mini', query: 'Weather in Paris?', libraryId: 'lib-1', stream: true })
})

test('the configured library takes precedence over the other field, and a missing one is the channel’s fault', async () => {
  const { body } = await encoded(chat, {}, { other: 'old', config: { library_id: 'new' } })
  expect(body.libraryId).toBe('new')
  expect(await failureFrom(() => encoded(chat))).toMatchObject({ blame: 'channel', code: 'missing_library_id' })
})

test('documents become citations, and there is no usage', () => {
  expect(contentOf(chat.decode(recorded.json('text')))).toMatchObject({
    usage: undefined,
    choices: [
      {
        finish: 'stop',
        blocks: [{ type: 'text', text: 'See the handbook.' }],
        citations: [{ url: 'https://docs.example/handbook', title: 'Handbook' }],
      },
    ],
  })
})

test('a refusal with status 200 is a failure', async () => {
  const body = { success: false, errCode: 104, message: 'The library does not exist' }
  expect(await failureFrom(() => chat.decode(body))).toMatchObject({ message: 'The library does not exist' })
})

adapterSuite({
  name: 'aiproxy-library',
  chat,
  answers: { text: { whole: recorded.json('text'), events: recorded.sse('text') } },
  silent: [{ event: '', data: '{"content":"","finish":false}' }],
  failure: { event: '', data: '{"success":false,"message":"broken"}' },
})
