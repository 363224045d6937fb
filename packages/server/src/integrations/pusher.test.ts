import { afterAll, expect, test } from 'bun:test'
import { fakePusher } from '../testing/outside/fake-pusher.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { createHttp } from '../upstream/http.ts'
import { createPusher } from './pusher.ts'

const remote = fakePusher()
afterAll(() => remote.stop())

const pusher = createPusher({ http: createHttp() })
const message = { title: '渠道状态变更提醒', description: '渠道已禁用', content: '渠道「备用」(#3) 已被自动禁用' }

test('a message arrives as it was written', async () => {
  await pusher.push({ address: remote.address, token: remote.token, ...message })
  expect(remote.pushed).toEqual([message])
})

test('a message that the pusher does not accept is a failure, and the error does not repeat the token', async () => {
  expect(await refusal(pusher.push({ address: remote.address, token: 'wrong-token', ...message }))).toEqual({
    code: 'outbound.failed',
    values: {},
    cause: `${remote.url}: the message was refused (HTTP 401)`,
  })
  const nobody = pusher.push({ address: `${remote.url}/push/nobody`, token: remote.token, ...message })
  expect(await refusal(nobody)).toMatchObject({ code: 'outbound.failed' })
})

test('a forbidden or invalid address is not contacted', async () => {
  for (const address of ['http://169.254.169.254/push/root', 'push.example.com', ''])
    expect(await refusal(pusher.push({ address, token: remote.token, ...message }))).toMatchObject({
      code: 'outbound.refused_address',
    })
})
