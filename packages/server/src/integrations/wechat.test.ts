import { afterAll, expect, test } from 'bun:test'
import { fakeWeChat } from '../testing/outside/fake-wechat.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { createHttp } from '../upstream/http.ts'
import { createWeChat } from './wechat.ts'

const remote = fakeWeChat()
afterAll(() => remote.stop())

const wechat = createWeChat({ http: createHttp() })
const server = { address: remote.url, token: remote.token }

test('a code yields the openid, once', async () => {
  const code = remote.codeFor('oGZUI0egBJY1zhBYw2KhdUfwVJJE')
  expect(await wechat.identify({ ...server, code })).toBe('oGZUI0egBJY1zhBYw2KhdUfwVJJE')
  expect(await refusal(wechat.identify({ ...server, code }))).toMatchObject({
    code: 'oauth.refused',
    values: { service: 'WeChat' },
  })
})

test('a wrong token is refused', async () => {
  const work = wechat.identify({ ...server, token: 'wrong', code: remote.codeFor('openid') })
  expect(await refusal(work)).toMatchObject({ code: 'oauth.refused' })
})

test.each(['', 'a&admin=1', '../user', 'a b', 'a#b', 'a\r\nx: y', 'x'.repeat(65), '验证码'])(
  'the code %p is never sent to the server',
  async (code) => {
    const before = remote.received.length
    expect(await refusal(wechat.identify({ ...server, code }))).toMatchObject({ code: 'oauth.bad_code' })
    expect(remote.received).toHaveLength(before)
  },
)

test('an address with a slash, a query or a fragment leads to the same place', async () => {
  for (const address of [`${remote.url}/`, `${remote.url}?x=1`, `${remote.url}#x`])
    expect(await wechat.identify({ ...server, address, code: remote.codeFor('openid') })).toBe('openid')
})

test('a server that cannot or may not be reached is reported as an outage', async () => {
  for (const address of ['http://127.0.0.1:1', 'http://169.254.169.254', 'nonsense'])
    expect(await refusal(wechat.identify({ ...server, address, code: 'code' }))).toMatchObject({
      code: 'oauth.unreachable',
      values: { service: 'WeChat' },
    })
})
