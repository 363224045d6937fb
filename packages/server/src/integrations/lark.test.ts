import { afterAll, expect, test } from 'bun:test'
import { fakeLark } from '../testing/outside/fake-lark.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { createHttp } from '../upstream/http.ts'
import { defaultAddresses } from './addresses.ts'
import { createLark } from './lark.ts'

const remote = fakeLark()
afterAll(() => remote.stop())

const larkAt = (lark: string, larkPassport = lark) =>
  createLark({ http: createHttp(), addresses: { ...defaultAddresses, lark, larkPassport } })
const lark = larkAt(remote.url)
const redirectUri = 'https://gateway.example.com/oauth/lark'
const app = { appId: remote.appId, appSecret: remote.appSecret, redirectUri }
const person = { open_id: 'ou_84aad35d084aa403a838cf73ee18467', name: '张三' }

test('a person is identified by the open_id', async () => {
  const code = remote.codeFor(person, redirectUri)
  expect(await lark.identify({ ...app, code })).toEqual({ id: person.open_id, name: '张三' })
})

test('a person without a name can sign in', async () => {
  const code = remote.codeFor({ open_id: 'ou_1' }, redirectUri)
  expect(await lark.identify({ ...app, code })).toEqual({ id: 'ou_1', name: '' })
})

test('a code works once', async () => {
  const code = remote.codeFor(person, redirectUri)
  await lark.identify({ ...app, code })
  expect(await refusal(lark.identify({ ...app, code }))).toEqual({
    code: 'oauth.refused',
    values: { service: 'Lark' },
    cause: 'Lark: no access token (code 20003)',
  })
})

test('a wrong secret, app or redirect address is refused', async () => {
  const causeOf = async (change: Partial<typeof app>) => {
    const code = remote.codeFor(person, redirectUri)
    return (await refusal(lark.identify({ ...app, ...change, code }))).cause
  }
  expect(await causeOf({ appSecret: 'wrong' })).toContain('20002')
  expect(await causeOf({ appId: 'wrong' })).toContain('20048')
  expect(await causeOf({ redirectUri: 'https://evil.example.com/' })).toContain('20071')
})

test('a token that the passport does not know is refused', async () => {
  const other = fakeLark()
  const work = larkAt(remote.url, other.url).identify({ ...app, code: remote.codeFor(person, redirectUri) })
  expect(await refusal(work)).toMatchObject({ code: 'oauth.refused', cause: 'Lark: no user (HTTP 401)' })
  expect(JSON.stringify(other.received)).not.toContain(remote.appSecret)
  await other.stop()
})

test('an outage of Lark is reported as an outage', async () => {
  const work = larkAt('http://127.0.0.1:1').identify({ ...app, code: 'any' })
  expect(await refusal(work)).toMatchObject({ code: 'oauth.unreachable', values: { service: 'Lark' } })
})
