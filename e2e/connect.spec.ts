import type { Page } from '@playwright/test'
import type { Facts, VariantName } from '../packages/console/src/features/connect/programs/program.ts'
import { programNamed } from '../packages/console/src/features/connect/programs/programs.ts'
import { fund, unique } from './support/api.ts'
import { arrived, field } from './support/find.ts'
import { asModule, inShell } from './support/run-snippet.ts'
import { expect, test, toasted } from './support/test.ts'
import { startUpstream, type Upstream } from './support/upstream.ts'

/* Settings for programs generated from a key, and calls that prove that they work. */

/** Used only in this test: others leave channels behind whose providers have stopped. */
let model: string
let upstream: Upstream

test.beforeEach(async ({ root, account }) => {
  upstream = await startUpstream()
  model = unique('gpt-5-')
  await root.makeChannel({ base_url: upstream.url, models: model })
  await fund(root, account)
})

test.afterEach(() => upstream.stop())

const program = (page: Page, name: string) =>
  page.getByRole('navigation', { name: '应用', exact: true }).getByRole('button', { name, exact: true })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const send = (page: Page) => page.getByRole('button', { name: '发送测试调用', exact: true }).click()

test("a key's menu leads to its settings, which are copied in full and work at once", async ({
  page,
  api,
  baseURL,
  context,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id, key } = await api.makeToken({ name: 'laptop', models: model })
  await api.makeToken({ name: 'newer' })
  await signIn()
  await page.goto('/token')
  await page.getByRole('button', { name: '令牌 laptop 的更多操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '接入应用', exact: true }).click()
  await arrived(page, '接入应用')
  await expect(page).toHaveURL(new RegExp(`/connect\\?token=${id}$`))
  await expect(field(page, '令牌')).toHaveValue('laptop')
  await expect(field(page, '模型')).toHaveValue(model)

  await program(page, 'Codex').click()
  await expect(page).toHaveURL(/app=codex/)
  const main = page.getByRole('main')
  await expect(main).toContainText(`base_url = "${baseURL}/v1"`)
  await expect(main).not.toContainText(key)
  await main.getByRole('button', { name: '复制：设置环境变量', exact: true }).click()
  await toasted(page, '已复制，内容里是完整的密钥，请妥善保管')
  expect(await clipboard(page)).toBe(`export TOLLGATE_API_KEY='sk-${key}'`)
  await main.getByRole('button', { name: '复制：~/.codex/config.toml', exact: true }).click()
  await expect.poll(() => clipboard(page)).toContain(`model = "${model}"`)

  await send(page)
  const tested = page.getByRole('region', { name: '测试调用', exact: true })
  await expect(tested.getByRole('status')).toContainText('hi')
  await expect(tested.getByText(/^\$0\.0\d+$/)).toBeVisible()
  await tested.getByRole('link', { name: '查看日志', exact: true }).click()
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  await expect(panel).toContainText(model)
  await expect(panel).toContainText('laptop')
  await panel.getByRole('button', { name: '关闭', exact: true }).click()
  await expect(panel).toHaveCount(0)
  await expect(page).not.toHaveURL(/request=/)
})

test('the newest usable key is preselected, and others are found by name', async ({ page, api, signIn }) => {
  for (let made = 0; made < 11; made += 1) await api.makeToken({ name: `filler-${made}` })
  const off = await api.makeToken({ name: 'switched-off' })
  await api.call('PUT', '/api/token/?status_only=true', { id: off.id, status: 2 })
  await signIn()
  await page.goto('/connect')
  await expect(field(page, '令牌')).toHaveValue('filler-10')
  await field(page, '令牌').fill('filler-0')
  await page.getByRole('option', { name: /^filler-0 ?sk-/ }).click()
  await expect(field(page, '令牌')).toHaveValue('filler-0')
  await field(page, '令牌').fill('switched')
  await page.getByRole('option', { name: /^switched-off ?已禁用 ?sk-/ }).click()
  await expect(page.getByText('令牌 switched-off 已禁用，用它的调用会被拒绝。')).toBeVisible()
  await send(page)
  const tested = page.getByRole('region', { name: '测试调用', exact: true })
  await expect(tested).toContainText('该 API 密钥已被禁用，请在控制台启用，或使用其他密钥')
  // A refusal has a log entry too, a moment later.
  await expect(tested.getByRole('link', { name: '查看日志', exact: true })).toBeVisible()
  await page.getByRole('link', { name: '去启用', exact: true }).click()
  await arrived(page, '令牌')
})

test('every protocol answers a test call, and the page shows where the gateway translates', async ({
  page,
  api,
  signIn,
}) => {
  const { id } = await api.makeToken({ name: 'many', models: model })
  await signIn()
  const tested = page.getByRole('region', { name: '测试调用', exact: true })
  for (const app of ['claude-code', 'gemini-cli', 'opencode']) {
    await page.goto(`/connect?token=${id}&app=${app}`)
    await expect(page.getByText(/网关会自动转换/)).toHaveCount(app === 'opencode' ? 0 : 1)
    await send(page)
    await expect(tested.getByRole('status')).toContainText('hi')
    await expect(tested.getByRole('link', { name: '查看日志', exact: true })).toBeVisible()
  }
})

test('a call that takes too long can be stopped, and is shown as stopped', async ({ page, root, api, signIn }) => {
  const silent = await startUpstream({ silent: true })
  const slow = unique('slow-')
  await root.makeChannel({ base_url: silent.url, models: slow })
  const { id } = await api.makeToken({ name: 'patient', models: slow })
  await signIn()
  await page.goto(`/connect?token=${id}&app=openai`)
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/v1/chat') && sent.push(request.url()))
  await page.getByRole('button', { name: '发送测试调用', exact: true }).dblclick()
  await expect(page.getByText('等待应答…')).toBeVisible()
  await page.getByRole('button', { name: '停止', exact: true }).click()
  await expect(page.getByText('已停止，没有等到应答。')).toBeVisible()
  expect(sent).toHaveLength(1)
  await silent.stop()
})

test('without a key, a model or balance the page says who can help', async ({ page, root, api, account, signIn }) => {
  const barred = await api.makeToken({ name: 'barred', models: 'retired-model' })
  const { data } = await root.call('GET', `/api/user/search?keyword=${account.username}`)
  await root.call('PUT', '/api/user/', { id: data[0].id, quota: 0 })
  await signIn()
  await page.goto(`/connect?token=${barred.id}`)
  await expect(page.getByText('这个令牌只允许使用 retired-model，但现在没有渠道提供。')).toBeVisible()
  await expect(page.getByText('账户余额不足，调用会被拒绝。')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: '编辑令牌', exact: true })).toHaveAttribute(
    'href',
    `/token/edit/${barred.id}`,
  )
  await page.goto('/connect?token=999999')
  await expect(page.getByText('令牌不存在')).toBeVisible()
  await page.getByRole('link', { name: '换一个令牌', exact: true }).click()
  await expect(field(page, '令牌')).toHaveValue('barred')

  const { data: keys } = await api.call('GET', '/api/token/?p=0')
  for (const { id } of keys) await api.call('DELETE', `/api/token/${id}/`)
  await page.goto('/connect')
  await page.getByRole('link', { name: '创建令牌', exact: true }).click()
  await expect(page).toHaveURL(/\/token\/add$/)
})

test('on a phone the programs are a select, and nothing is wider than the screen', async ({ page, api, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await api.makeToken({ name: '中文名称的令牌用来测试截断效果与换行', models: model })
  await signIn()
  await page.goto('/connect')
  for (const name of ['Claude Code', 'Codex', 'Cherry Studio', 'Google GenAI SDK']) {
    await field(page, '应用').selectOption({ label: name })
    await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
})

test('the copied curl and JavaScript samples run unchanged', async ({ api, baseURL }) => {
  const { key } = await api.makeToken({ name: 'scripts', models: model })
  const facts: Facts = { address: baseURL ?? '', key: `sk-${key}`, model, models: [model], site: 'Tollgate' }
  for (const id of ['openai', 'anthropic', 'google']) {
    const curl = await inShell(callOf(id, 'curl', facts))
    expect(curl.stdout, id).toMatch(/"(content|text)": ?"hi"/)
    const javascript = await asModule(callOf(id, 'javascript', facts))
    expect(javascript.stdout.trim(), id).toBe('hi')
  }
})

function callOf(id: string, way: VariantName, facts: Facts) {
  const parts =
    programNamed(id)
      .variants.find(({ name }) => name === way)
      ?.parts(facts) ?? []
  const call = parts.find(({ task }) => task === 'call')
  if (call === undefined || call.task === 'fill') throw new Error(`${id} has no call for ${way}`)
  return call.code
}
