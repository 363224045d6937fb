import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { fund, signedInApi } from './support/api.ts'
import { expect, test } from './support/test.ts'

/*
 * Names and texts that are markup, wherever somebody can enter one or a vendor can answer with one. On no screen do they become elements.
 * The suite also fails on a script that the content security policy had to stop.
 */

/** As long as a username may be. */
const NAME = '<b data-xss>'
const LONG = `${NAME}<img data-xss src=/x onerror="document.title='xss'"><a data-xss href="javascript:alert(1)">x</a>`
const MODEL = `${NAME}m`

/** Answers with markup: in an error, or as what the model says and is called. */
const startHostileVendor = async () => {
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const fails = text.includes('fail')
      response.statusCode = fails ? 400 : 200
      response.setHeader('content-type', 'application/json')
      const error = { message: `Wrong: ${LONG}`, type: LONG, code: NAME, param: NAME }
      const message = { role: 'assistant', content: LONG }
      const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.end(
        JSON.stringify(
          fails ? { error } : { id: NAME, object: 'chat.completion', created: 1, model: MODEL, choices, usage },
        ),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The vendor has no port')
  return { url: `http://127.0.0.1:${address.port}`, stop: () => server.close() }
}

const SCREENS = [
  ...[
    '/',
    '/channel',
    '/channel/models',
    '/token',
    '/token/all',
    '/redemption',
    '/user',
    '/log',
    '/model',
    '/connect',
    '/topup',
  ],
  ...['/analytics', '/alert', '/audit', '/budget', '/setting', '/about', '/user/edit'],
]

async function expectNoMarkup(page: Page, path: string) {
  await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0)
  await expect(page.locator('[data-xss]'), path).toHaveCount(0)
  expect(await page.title(), path).not.toBe('xss')
}

test('a name or text that is markup is shown as it was written, on every screen', async ({
  page,
  root,
  server,
  signInAs,
  baseURL,
}) => {
  const vendor = await startHostileVendor()
  // Charts are drawn when they are seen.
  await page.setViewportSize({ width: 1280, height: 5000 })
  const account = { username: NAME, password: 'a-good-password' }
  await root.call('POST', '/api/user/', { ...account, display_name: '<i data-xss>x</i>' })
  await fund(root, account)
  const { data: found } = await root.call('GET', '/api/user/search?keyword=data-xss')
  const userId = found[0].id
  await root.call('POST', '/api/channel/', {
    ...{ name: LONG.slice(0, 60), type: 8, key: 'sk-upstream', base_url: vendor.url, group: 'default', tag: NAME },
    ...{ models: MODEL, test_model: MODEL },
  })
  const { data: channels } = await root.call('GET', '/api/channel/search?keyword=data-xss')
  const channelId = channels[0].id
  await page.request.get(`${baseURL}/api/channel/test/${channelId}`)
  await root.call('POST', '/api/redemption/', { name: NAME, quota: 5 })
  await root.call('POST', '/api/budget/', { scope: 'user', target: `${userId}`, quota: 500_000, period: 'day' })
  await root.call('POST', '/api/alert/destination/', {
    ...{ owner: 'gateway', way: 'slack', name: NAME, address: 'https://hooks.slack.example/services/T/B/X' },
  })
  await root.setOption('SystemName', NAME)
  await root.setOption('RecordingEnabled', 'true')

  const user = await signedInApi(server.url, account)
  const recording = { scope: 'all', share: 100, days: 1, size: 64 }
  const token = await user.makeToken({ name: LONG.slice(0, 30), unlimited_quota: true, recording })
  const call = (fields: object) =>
    page.request.post(`${baseURL}/v1/chat/completions`, {
      headers: { authorization: `Bearer sk-${token.key}` },
      data: { model: MODEL, messages: [{ role: 'user', content: LONG }], ...fields },
    })
  const answered = await call({})
  expect(answered.status()).toBe(200)
  const ownCall = `/log/${answered.headers()['x-request-id']}`
  expect((await call({ user: 'fail' })).status()).toBe(400)
  expect((await call({ model: `${NAME}unknown` })).status()).toBe(404)

  await signInAs(root)
  for (const path of [
    ...SCREENS,
    `/channel/edit/${channelId}`,
    `/user/edit/${userId}`,
    `/route?group=default&model=${encodeURIComponent(MODEL)}`,
  ]) {
    await page.goto(path)
    await expect(page.getByRole('main')).toBeVisible()
    await expectNoMarkup(page, path)
  }
  // It is really there.
  await page.goto('/channel')
  await expect(page.getByRole('main')).toContainText(NAME)
  await page.goto('/log')
  await expect(page.getByRole('main')).toContainText(MODEL)
  await page.goto(ownCall)
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  await panel.getByRole('button', { name: '查看请求和回答', exact: true }).click()
  await expect(panel.getByRole('region', { name: '调用记录', exact: true })).toContainText('javascript:alert')
  await expectNoMarkup(page, ownCall)
  await user.dispose()

  await signInAs(account)
  for (const path of ['/', '/token', `/token/edit/${token.id}`, '/log', '/connect', '/topup', '/alert', ownCall]) {
    await page.goto(path)
    await expect(page.getByRole('main')).toBeVisible()
    await expectNoMarkup(page, path)
  }
  // Other tests share the server.
  await root.call('DELETE', `/api/channel/${channelId}`)
  await root.setOption('SystemName', 'Tollgate')
  await root.setOption('RecordingEnabled', 'false')
  vendor.stop()
})
