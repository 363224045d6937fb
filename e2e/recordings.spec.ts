import { fund, unique } from './support/api.ts'
import { field } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'
import { startUpstream, type Upstream } from './support/upstream.ts'

/* The owner of a key enables recording, and sees what was sent and answered. */

let upstream: Upstream

test.beforeEach(async ({ root }) => {
  upstream = await startUpstream()
  await root.setOption('RecordingEnabled', 'true')
})

test.afterEach(async ({ root }) => {
  await root.setOption('RecordingEnabled', 'false')
  await upstream.stop()
})

test('a key is recorded once its owner agrees, and the call shows the conversation', async ({
  page,
  root,
  account,
  api,
  signIn,
  baseURL,
}) => {
  const model = unique('gpt-5-')
  await root.makeChannel({ base_url: upstream.url, models: model })
  await fund(root, account)
  const { id, key } = await api.makeToken({ name: 'agent' })
  await signIn()

  await page.goto(`/token/edit/${id}`)
  const section = page.getByRole('region', { name: '调用记录', exact: true })
  await expect(section).toContainText('管理员也能查看，但每次都会写入操作记录')
  await section.getByRole('switch', { name: '记录这个令牌的调用内容', exact: true }).click({ force: true })
  await section.getByText('全部', { exact: true }).click()
  await field(section, '保留天数').fill('2')
  await expect(section).toContainText('保存多久：2 天')
  await page.getByRole('button', { name: '保存令牌', exact: true }).click()
  await toasted(page, '令牌更新成功')

  const call = await page.request.post(`${baseURL}/v1/chat/completions`, {
    headers: { authorization: `Bearer sk-${key}` },
    data: { model, temperature: 0.5, messages: [{ role: 'user', content: 'What does the bar do?' }] },
  })
  expect(call.status()).toBe(200)

  await page.goto(`/log/${call.headers()['x-request-id']}`)
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  const asked = page.waitForRequest(/\/recording\//)
  await panel.getByRole('button', { name: '查看请求和回答', exact: true }).click()
  await asked
  const recording = panel.getByRole('region', { name: '调用记录', exact: true })
  await expect(recording.getByRole('listitem').filter({ hasText: '用户' })).toContainText('What does the bar do?')
  await expect(recording.getByRole('listitem').filter({ hasText: '模型' })).toContainText('hi')
  await recording.getByText('原文', { exact: true }).click()
  await expect(recording).toContainText('"temperature":0.5')

  await page.goto(`/token/edit/${id}`)
  await section.getByRole('switch', { name: '记录这个令牌的调用内容', exact: true }).click({ force: true })
  await section.getByRole('switch', { name: /^同时删除已保存的记录/ }).click({ force: true })
  await page.getByRole('button', { name: '保存令牌', exact: true }).click()
  await toasted(page, '令牌更新成功')
  const gone = await page.request.get(`${baseURL}/api/log/self/recording/${call.headers()['x-request-id']}`)
  expect((await gone.json()).success).toBe(false)
})

test('an administrator asks to record a key, and its owner agrees or declines', async ({
  page,
  root,
  account,
  api,
  signIn,
  signInAs,
}) => {
  const { id } = await api.makeToken({ name: 'helped' })
  await signInAs(root)
  await page.goto(`/token/all?owner=${account.username}&keyword=helped`)
  await page.getByRole('button', { name: '令牌 helped 的更多操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '请求记录调用', exact: true }).click()
  const asking = page.getByRole('dialog', { name: `请 ${account.username} 同意记录令牌 helped 的调用？`, exact: true })
  await field(asking, '原因').fill('工单 7')
  await asking.getByRole('button', { name: '发送请求', exact: true }).click()
  await toasted(page, '已发送请求')
  await expect(page.getByRole('row').filter({ hasText: 'helped' })).toContainText('等待所有者同意记录')

  await signIn()
  await page.goto('/token')
  await page.getByRole('button', { name: '管理员请求记录令牌 helped 的调用', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '同意记录令牌 helped 的调用？', exact: true })
  await expect(dialog).toContainText('管理员写的原因：工单 7')
  await expect(dialog).toContainText('只记录失败的调用')
  await dialog.getByRole('button', { name: '同意', exact: true }).click()
  await toasted(page, '已同意，随时可以在令牌的编辑页面关闭')
  expect((await api.call('GET', `/api/token/${id}`)).data).toMatchObject({
    recording: { scope: 'errors' },
    recording_request: null,
  })
})
