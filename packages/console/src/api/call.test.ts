import { expect, test } from 'bun:test'
import { CONSOLE_HEADER, channels, session, status, tokens } from '@tollgate/contract'
import { answerWith } from './testing/fake-server.ts'

// The address is read when the module is loaded, because the build fixes it.
const { ask, call, callPage } = await import('./call.ts')
const { ApiError } = await import('./api-error.ts')

test('a call uses the configured address and sends the chosen language [R1.16 R0.02]', async () => {
  let asked: { path: string; language: string | null } | undefined
  answerWith(({ url, headers }) => {
    asked = { path: new URL(url).pathname, language: headers.get('accept-language') }
    return Response.json({ success: true, message: '', data: 'hello' })
  })
  expect(await call(status.about)).toBe('hello')
  expect(asked).toEqual({ path: '/api/about', language: 'zh-CN' })
})

test('a GET with effects proves that the console sent it; other calls need no preflight', async () => {
  const shown: (string | null)[] = []
  answerWith(({ headers }) => {
    shown.push(headers.get(CONSOLE_HEADER))
    return Response.json({ success: true, message: '', data: 'hello' })
  })
  await call(session.logout)
  await call(status.about)
  expect(shown).toEqual(['1', null])
})

test('a page of a list includes the total number of rows [R4.26]', async () => {
  answerWith(() => Response.json({ success: true, message: '', data: [] }, { headers: { 'X-Total-Count': '42' } }))
  expect(await callPage(tokens.list, { query: { p: 3, order: '' } })).toEqual({ rows: [], total: 42, more: false })
})

test('members next to the data are read too', async () => {
  answerWith(() => Response.json({ success: true, message: '', balance: 12.5 }))
  const { extra } = await ask(channels.updateBalance, { params: { id: 1 } })
  expect(extra).toEqual({ balance: 12.5 })
})

test.each([
  [200, JSON.stringify({ success: false, message: 'no' }), 'no'],
  [401, JSON.stringify({ success: false, message: 'who are you' }), 'who are you'],
  [502, '<html>bad gateway</html>', 'Bad Gateway'],
] as const)('a %p that is not a success throws with its status and message [R7.01]', async (code, body, message) => {
  answerWith(() => new Response(body, { status: code, statusText: message }))
  const error = await call(status.about).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: code, message })
})

test('an answer that breaks the contract is an error, not data', async () => {
  answerWith(() => Response.json({ success: true, message: '', data: { not: 'a text' } }))
  await expect(call(status.about)).rejects.toThrow()
})
