import type { Page } from '@playwright/test'
import { unique } from './support/api.ts'
import { arrived, expectStored, field } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

const submit = (page: Page) => page.getByRole('button', { name: /^(创建|保存)渠道$/ }).click()

/** Waits for the model lists: before that a type has no models, and the form cannot be saved. */
async function openForm(page: Page) {
  await page.goto('/channel/add')
  await page.waitForLoadState('networkidle')
}

async function chooseType(page: Page, name: string) {
  await page.getByRole('combobox', { name: '类型', exact: true }).fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

/** The body that the page sends when it saves. */
const sending = (page: Page, method: 'POST' | 'PUT') =>
  page
    .waitForRequest((request) => request.method() === method && request.url().endsWith('/api/channel/'))
    .then((request) => request.postDataJSON())

test('a channel is created with the models of its type [R2.12 R5.33 R7.41 R7.49 R7.50 R8.26]', async ({ page }) => {
  const name = unique('made-')
  await openForm(page)
  await chooseType(page, 'DeepSeek')
  await field(page, '名称').fill(name)
  await field(page, '密钥').fill('sk-deep')
  await expect(page.getByRole('list', { name: '已选的模型', exact: true })).toContainText('deepseek-v4-pro')
  const body = sending(page, 'POST')
  await submit(page)
  expect(await body).toMatchObject({ type: 36, name, key: 'sk-deep', group: 'default' })
  await toasted(page, '渠道创建成功')
  await expect(page).toHaveURL(/\/channel$/)
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
  await expectStored(page, 'channel_models').toMatch(/"36":[^\]]*"deepseek-v4-pro"/)
})

test('a type that is chosen before the model lists have loaded gets its models when they arrive', async ({ page }) => {
  let send = () => {}
  const asked = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route('**/api/models', async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/channel/add')
  await chooseType(page, 'DeepSeek')
  await expect(page.getByText('还没有选择模型')).toBeVisible()
  send()
  await expect(page.getByRole('list', { name: '已选的模型', exact: true })).toContainText('deepseek-v4-pro')
})

test('name, key and a model are required, and the first gap gets the cursor [R5.28 R5.29]', async ({ page }) => {
  await openForm(page)
  await submit(page)
  await expect(page.getByText('请填写渠道名称和渠道密钥')).toHaveCount(2)
  await expect(page.getByText('请至少选择一个模型')).toBeVisible()
  await expect(field(page, '名称')).toBeFocused()
  await field(page, '名称').fill('x')
  await field(page, '密钥').fill('sk')
  await submit(page)
  await expect(page.getByText('请填写渠道名称和渠道密钥')).toHaveCount(0)
  await expect(page.getByText('请至少选择一个模型')).toBeVisible()
  await chooseType(page, 'Proxy')
  await expect(page.getByText('不需要选择模型')).toBeVisible()
})

test('groups are chosen, added and required [R5.33 R7.24]', async ({ page }) => {
  await openForm(page)
  const groups = page.getByRole('combobox', { name: '分组', exact: true })
  await groups.click()
  await page.getByRole('option', { name: 'svip', exact: true }).click()
  await groups.fill('partners')
  await groups.press('Enter')
  for (const name of ['default', 'svip', 'partners']) await expect(page.getByText(name, { exact: true })).toBeVisible()
  for (let left = 3; left > 0; left -= 1) await groups.press('Backspace')
  await submit(page)
  await expect(page.getByText('请至少选择一个分组')).toBeVisible()
})

test('models are filled in, searched for, typed and cleared [R7.48]', async ({ page }) => {
  await openForm(page)
  const chosen = page.getByRole('list', { name: '已选的模型', exact: true })
  await page.getByRole('button', { name: /填入相关模型/ }).click()
  await expect(chosen).toContainText('gpt-4o')
  await page.getByRole('button', { name: '清除所有模型', exact: true }).click()
  await expect(page.getByText('还没有选择模型')).toBeVisible()
  await page.getByRole('combobox', { name: /提供的模型/ }).fill('claude-opus-4-1')
  await page.getByRole('option').first().click()
  await expect(page.getByText('已选 1 个')).toBeVisible()
  await field(page, '自定义模型名称').fill('mine-1, mine-2，mine-1')
  await field(page, '自定义模型名称').press('Enter')
  await expect(page.getByText('已选 3 个')).toBeVisible()
  await page.getByRole('button', { name: '移除模型 mine-1', exact: true }).click()
  await expect(chosen).not.toContainText('mine-1')
  const asked = page.waitForRequest('**/api/channel/models')
  await page.getByRole('button', { name: '填入所有模型', exact: true }).click()
  await asked
  await expect(page.getByRole('button', { name: /显示全部 \d{3,} 个/ })).toBeVisible()
})

test('a model mapping is edited as rows or as JSON, and must be JSON [R5.30]', async ({ page }) => {
  await openForm(page)
  await field(page, '名称').fill(unique('mapped-'))
  await field(page, '密钥').fill('sk')
  await field(page, '自定义模型名称').fill('gpt-4')
  await field(page, '自定义模型名称').press('Enter')
  await page.getByRole('button', { name: '添加一行', exact: true }).click()
  await field(page, '调用的模型').fill('gpt-4')
  await field(page, '实际请求的模型').fill('gpt-4o')
  await page.getByText('JSON', { exact: true }).click()
  const raw = field(page, '模型映射（JSON）')
  await expect(raw).toHaveValue(/"gpt-4": "gpt-4o"/)
  await raw.fill('{ broken')
  await submit(page)
  await expect(page.getByText('模型映射必须是合法的 JSON 格式')).toBeVisible()
  await expect(raw).toBeFocused()
  await raw.fill('{"gpt-4":"gpt-4.1"}')
  const body = sending(page, 'POST')
  await submit(page)
  expect(JSON.parse((await body).model_mapping)).toEqual({ 'gpt-4': 'gpt-4.1' })
})

test('one key per line makes one channel per line [R3.10]', async ({ page }) => {
  const name = unique('lines-')
  await openForm(page)
  await field(page, '名称').fill(name)
  await field(page, '密钥').fill('sk-a\nsk-b\n\nsk-c')
  await expect(field(page, '每个密钥一个渠道，创建 3 个渠道')).toBeChecked()
  await page.getByRole('button', { name: /填入相关模型/ }).click()
  await submit(page)
  await toasted(page, '渠道创建成功')
  await page.goto(`/channel?keyword=${name}`)
  await expect(page.getByText('共 3 个渠道，已启用 3 个')).toBeVisible()
})

test('a trailing slash of the address is removed, priority and weight are under More [R5.31 R5.34]', async ({
  page,
}) => {
  const upstream = await startUpstream()
  await openForm(page)
  await field(page, '名称').fill(unique('slash-'))
  await field(page, '密钥').fill('sk')
  await page.getByRole('button', { name: /填入相关模型/ }).click()
  await field(page, 'Base URL').fill('https://proxy.example.com/#')
  await submit(page)
  await expect(page.getByText('地址必须是 http 或 https 网址，不能带账号密码、? 或 #')).toBeVisible()
  await field(page, 'Base URL').fill(`${upstream.url}/`)
  await page.getByText('更多选项').click()
  await field(page, '优先级').fill('7')
  await field(page, '权重').fill('3')
  await field(page, '系统提示词').fill('Be brief.')
  const body = sending(page, 'POST')
  await submit(page)
  expect(await body).toMatchObject({
    base_url: upstream.url,
    priority: 7,
    weight: 3,
    system_prompt: 'Be brief.',
  })
  await toasted(page, '渠道创建成功')
  await upstream.stop()
})

/** Nothing answers there, and the form says so before it saves. */
const OWN = 'http://127.0.0.1:9'

const SPECIAL: { type: string; number: number; fields: Record<string, string>; sends: object; rows: string }[] = [
  {
    type: 'Azure OpenAI',
    number: 3,
    fields: { 部署地址: `${OWN}/`, 密钥: 'k' },
    sends: { base_url: OWN, other: '2024-03-01-preview' },
    rows: '[R5.32 R5.41]',
  },
  {
    type: '自定义渠道',
    number: 8,
    fields: { '自定义 Base URL': OWN, 密钥: 'k' },
    sends: { base_url: OWN },
    rows: '[R5.42]',
  },
  { type: '阿里通义千问', number: 17, fields: { 插件参数: 'p', 密钥: 'k' }, sends: { other: 'p' }, rows: '[R5.43]' },
  {
    type: '讯飞星火认知',
    number: 18,
    fields: { 模型版本: 'v4.0', 密钥: 'a|b|c' },
    sends: { other: 'v4.0', key: 'a|b|c' },
    rows: '[R5.38 R5.44]',
  },
  {
    type: '知识库：AI Proxy',
    number: 21,
    fields: { '知识库 ID': 'lib-1', 密钥: 'k' },
    sends: { other: 'lib-1' },
    rows: '[R5.45]',
  },
  {
    type: '知识库：FastGPT',
    number: 22,
    fields: { 私有部署地址: OWN, 密钥: 'key-app' },
    sends: { base_url: OWN, key: 'key-app' },
    rows: '[R5.39 R5.46]',
  },
  {
    type: 'AWS',
    number: 33,
    fields: { 区域: 'us-east-1', AK: 'AKIA', SK: 'shh' },
    sends: { key: 'AKIA|shh|us-east-1', config: '{"region":"us-east-1","ak":"AKIA","sk":"shh"}' },
    rows: '[R5.35 R5.47]',
  },
  {
    type: 'Coze',
    number: 34,
    fields: { '用户 ID': 'u1', 密钥: 'k' },
    sends: { config: '{"user_id":"u1"}' },
    rows: '[R5.48]',
  },
  {
    type: 'Cloudflare',
    number: 37,
    fields: { '账户 ID': 'acc', 密钥: 'k' },
    sends: { config: '{"user_id":"acc"}' },
    rows: '[R5.49]',
  },
  {
    type: 'VertexAI',
    number: 42,
    fields: { 区域: 'global', '项目 ID': 'p1', '应用默认凭据（JSON）': '{"a":1}' },
    sends: { key: 'global|p1|{"a":1}' },
    rows: '[R5.36 R5.50]',
  },
  {
    type: 'Proxy',
    number: 43,
    fields: { 上游地址: OWN, 密钥: 'k' },
    sends: { base_url: OWN, models: '' },
    rows: '[R5.51]',
  },
  { type: '百度文心千帆', number: 15, fields: { 密钥: 'a|s' }, sends: { key: 'a|s' }, rows: '[R5.37]' },
  { type: '腾讯混元', number: 23, fields: { 密钥: 'a|i|k' }, sends: { key: 'a|i|k' }, rows: '[R5.40]' },
]

for (const { type, number, fields, sends, rows } of SPECIAL) {
  test(`type ${number} asks for what it needs ${rows}`, async ({ page }) => {
    await openForm(page)
    await chooseType(page, type)
    await field(page, '名称').fill(unique('special-'))
    for (const [label, value] of Object.entries(fields)) {
      await field(page, label).fill(value)
    }
    if (number === 34) {
      await field(page, '自定义模型名称').fill('bot-1')
      await field(page, '自定义模型名称').press('Enter')
    }
    const body = sending(page, 'POST')
    await submit(page)
    if ('base_url' in sends) {
      await expect(page.getByText(`现在连接不上 ${OWN}`)).toBeVisible()
      await page.getByRole('button', { name: '仍要保存', exact: true }).click()
    }
    expect(await body).toMatchObject({ type: number, ...sends })
    await toasted(page, '渠道创建成功')
  })
}

test('prompt caching is an option of types that may route to Claude', async ({ page }) => {
  await openForm(page)
  await page.getByText('更多选项').click()
  await expect(field(page, '提示词缓存')).toHaveCount(0)
  await chooseType(page, 'Anthropic Claude')
  await field(page, '名称').fill(unique('cached-'))
  await field(page, '密钥').fill('k')
  await expect(field(page, '提示词缓存')).toHaveValue('用于智能体：带工具且提示词较长的请求')
  await field(page, '提示词缓存').click()
  await page.getByRole('option', { name: '从不', exact: true }).click()
  const body = sending(page, 'POST')
  await submit(page)
  expect(await body).toMatchObject({ type: 14, config: '{"prompt_caching":"never"}' })
  await toasted(page, '渠道创建成功')
})

test('the key format of a type is shown [R5.37 R5.38 R5.39 R5.40]', async ({ page }) => {
  await openForm(page)
  for (const [type, format] of [
    ['百度文心千帆', 'APIKey|SecretKey'],
    ['讯飞星火认知', 'APPID|APISecret|APIKey'],
    ['知识库：FastGPT', 'APIKey-AppId'],
    ['腾讯混元', 'AppId|SecretId|SecretKey'],
  ] as const) {
    await chooseType(page, type)
    await expect(page.getByText(`格式：${format}`)).toBeVisible()
  }
})

test('every one of the 43 types can be chosen, and those that came later [R3.12]', async ({ page }) => {
  await openForm(page)
  await page.getByRole('combobox', { name: '类型', exact: true }).click()
  await expect(page.getByRole('option')).toHaveCount(61)
  for (const name of ['硅基流动 SiliconFlow', 'OpenAI 兼容', 'vLLM', 'Vercel AI Gateway', 'Midjourney Proxy']) {
    await expect(page.getByRole('option', { name, exact: true })).toHaveCount(1)
  }
})

test('a type shows the address it uses when none is given', async ({ page }) => {
  await openForm(page)
  await chooseType(page, 'xAI')
  await expect(field(page, 'Base URL')).toHaveAttribute('placeholder', 'https://api.x.ai')
  await chooseType(page, 'OpenAI 兼容')
  await expect(field(page, 'SDK 的 Base URL')).toHaveAttribute('placeholder', 'https://api.example.com/v1')
  await chooseType(page, 'Midjourney Proxy')
  await expect(field(page, '服务地址')).toHaveAttribute('placeholder', 'http://localhost:8080')
  await expect(page.getByText('格式：mj-api-secret')).toBeVisible()
})

test('a malformed key is refused with the expected format', async ({ page }) => {
  await openForm(page)
  await chooseType(page, '智谱 ChatGLM')
  await field(page, '名称').fill(unique('glm-'))
  await field(page, '密钥').fill('no-dot')
  await submit(page)
  await expect(page.getByText('密钥格式不正确，应为 id.secret')).toBeVisible()
  await expect(field(page, '密钥')).toBeFocused()
  await field(page, '密钥').fill('an-id.a-secret')
  await submit(page)
  await toasted(page, '渠道创建成功')
})

test('an edit starts from what is stored and keeps the key [R2.13 R3.08 R7.40 R8.27]', async ({ page, root }) => {
  const name = unique('edited-')
  await root.makeChannel({ name, key: 'sk-0123456789abcd', models: 'gpt-4o,gpt-4o-mini', group: 'default,vip' })
  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: `编辑渠道 ${name}`, exact: true }).click()
  await arrived(page, '编辑渠道')
  await expect(field(page, '名称')).toHaveValue(name)
  const key = field(page, '密钥')
  await expect(key).toHaveValue('')
  await expect(key).toHaveAttribute('placeholder', '留空则保留 …abcd')
  await expect(page.getByText('已选 2 个')).toBeVisible()
  await field(page, '名称').fill(`${name}-2`)
  const body = sending(page, 'PUT')
  await submit(page)
  expect(await body).toMatchObject({ name: `${name}-2`, key: '', group: 'default,vip' })
  await toasted(page, '渠道更新成功')
  // The list is restored as it was left.
  await expect(page).toHaveURL(new RegExp(`/channel\\?keyword=${name}$`))
})

test('a new host, type or region needs the key again [R3.09]', async ({ page, root }) => {
  const name = unique('moved-')
  const upstream = await startUpstream()
  await root.makeChannel({ name, base_url: 'https://a.example.com' })
  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: `编辑渠道 ${name}`, exact: true }).click()
  await arrived(page, '编辑渠道')
  const notice = page.getByRole('status').filter({ hasText: '请重新填写密钥' })
  await field(page, 'Base URL').fill('https://a.example.com/v1')
  await expect(notice).toHaveCount(0)
  await field(page, 'Base URL').fill(upstream.url)
  await expect(notice).toBeVisible()
  await submit(page)
  const key = field(page, '密钥')
  await expect(key).toBeFocused()
  await key.fill('sk-new')
  await submit(page)
  await toasted(page, '渠道更新成功')
  await upstream.stop()

  const aws = unique('region-')
  const config = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"shh"}'
  await root.makeChannel({ name: aws, type: 33, key: '', config })
  await page.goto(`/channel?keyword=${aws}`)
  await page.getByRole('button', { name: `编辑渠道 ${aws}`, exact: true }).click()
  await expect(field(page, '区域')).toHaveValue('us-east-1')
  await expect(notice).toHaveCount(0)
  await field(page, '区域').fill('eu-west-1')
  await expect(notice).toBeVisible()
  await submit(page)
  await expect(field(page, 'AK')).toBeFocused()
  await field(page, 'AK').fill('AKIAEXAMPLE67890')
  await field(page, 'SK').fill('shh')
  await field(page, '区域').fill('x.evil.example:443/')
  await submit(page)
  await expect(page.getByText('区域的格式不正确，例如 us-east-1', { exact: true })).toBeVisible()
  await field(page, '区域').fill('eu-west-1')
  await submit(page)
  await expect(page).toHaveURL(new RegExp(`/channel\\?keyword=${aws}$`))
})

test('changes in the vendor’s model list are shown, and applied only by the operator', async ({ page, root }) => {
  const upstream = await startUpstream()
  const name = unique('asked-')
  const gone = unique('gone-')
  await root.makeChannel({ name, type: 8, base_url: upstream.url, models: `gpt-4o-mini,${gone}` })
  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: `编辑渠道 ${name}`, exact: true }).click()
  await arrived(page, '编辑渠道')
  await page.getByRole('button', { name: '从上游获取', exact: true }).click()
  const found = page.getByRole('region', { name: '上游的模型', exact: true })
  await expect(found).toContainText('上游提供 2 个模型，1 个还没有选择，已选的有 1 个上游没有')
  const chosen = page.getByRole('list', { name: '已选的模型', exact: true })
  await expect(chosen).not.toContainText('brand-new')
  await found.getByRole('button', { name: '添加模型 brand-new', exact: true }).click()
  await expect(chosen).toContainText('brand-new')
  await expect(chosen).toContainText(gone)
  await found.getByRole('button', { name: `移除上游没有的模型 ${gone}`, exact: true }).click()
  await expect(chosen).not.toContainText(gone)
  await expect(found).toContainText('上游提供 2 个模型，与已选的一致')
  await page.getByRole('button', { name: '移除模型 gpt-4o-mini', exact: true }).click()
  await found.getByRole('button', { name: '全部添加', exact: true }).click()
  const body = sending(page, 'PUT')
  await submit(page)
  const warning = page.getByRole('dialog', { name: '仍要保存？', exact: true })
  await expect(warning).toContainText(`${gone}（default）`)
  await warning.getByRole('button', { name: '仍要保存', exact: true }).click()
  expect(await body).toMatchObject({ models: 'brand-new,gpt-4o-mini' })
  await upstream.stop()
})

test('the vendor’s models can be fetched before anything is saved', async ({ page }) => {
  const upstream = await startUpstream()
  await openForm(page)
  await chooseType(page, '自定义渠道')
  await expect(page.getByText('填写密钥之后，可以从上游获取模型列表')).toBeVisible()
  await field(page, '自定义 Base URL').fill(upstream.url)
  await field(page, '密钥').fill('sk-not-saved')
  await page.getByRole('button', { name: '清除所有模型', exact: true }).click()
  await page.getByRole('button', { name: '从上游获取', exact: true }).click()
  await page
    .getByRole('region', { name: '上游的模型', exact: true })
    .getByRole('button', { name: '全部添加', exact: true })
    .click()
  await expect(page.getByRole('list', { name: '已选的模型', exact: true })).toContainText('brand-new')
  await upstream.stop()
})

test('a vendor without a model list is reported as such', async ({ page }) => {
  await openForm(page)
  await chooseType(page, 'Coze')
  await expect(page.getByText('这个类型的服务商不提供模型列表')).toBeVisible()
})

test('models without a price are marked with what they would cost', async ({ page, root }) => {
  const name = unique('unpriced-')
  await root.makeChannel({ name, models: 'gpt-4o,house-model' })
  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: `编辑渠道 ${name}`, exact: true }).click()
  await arrived(page, '编辑渠道')
  const chosen = page.getByRole('list', { name: '已选的模型', exact: true })
  const marked = chosen.getByRole('listitem').filter({ has: page.getByRole('img', { name: '没有价格', exact: true }) })
  await expect(marked).toHaveText(['house-model'])
  await expect(page.getByText('1 个模型没有价格。')).toBeVisible()
  await field(page, '自定义模型名称').fill('another-one')
  await field(page, '自定义模型名称').press('Enter')
  await expect(marked).toHaveText(['house-model', 'another-one'])
  await expect(page.getByText('按「未知模型的倍率」计费')).toBeVisible()
  await expect(page.getByRole('link', { name: '去设置价格', exact: true })).toHaveAttribute(
    'href',
    '/setting?tab=operation#ratios',
  )
})

test('unsaved changes are not discarded without a confirmation', async ({ page }) => {
  await openForm(page)
  await field(page, '名称').fill('half done')
  await page.getByRole('link', { name: '令牌', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: '放弃未保存的修改？', exact: true })
  await dialog.getByRole('button', { name: '继续编辑', exact: true }).click()
  await expect(field(page, '名称')).toHaveValue('half done')
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await dialog.getByRole('button', { name: '放弃修改', exact: true }).click()
  await expect(page).toHaveURL(/\/channel$/)
})

test('opening the forms makes at most three calls', async ({ page, root }) => {
  const name = unique('calls-')
  await root.makeChannel({ name })
  const { data } = await root.call('GET', `/api/channel/search?keyword=${name}`)
  for (const path of ['/channel/add', `/channel/edit/${data[0].id}`]) {
    const calls: string[] = []
    const count = (request: { url: () => string }) =>
      void (request.url().includes('/api/') && calls.push(request.url()))
    page.on('request', count)
    await page.goto(path)
    await expect(field(page, '名称')).toBeVisible()
    await page.waitForLoadState('networkidle')
    page.off('request', count)
    expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(3)
  }
})

test('headers, body fields, a time-out and a proxy are set, shown without secrets, and kept', async ({ page }) => {
  const name = unique('own-')
  await openForm(page)
  await chooseType(page, 'DeepSeek')
  await field(page, '名称').fill(name)
  await field(page, '密钥').fill('sk-deep')
  await page.getByText('更多选项').click()
  const headers = page.getByRole('group', { name: '请求头', exact: true })
  await headers.getByRole('button', { name: '添加一行', exact: true }).click()
  await field(headers, '请求头名称').fill('Authorization')
  await field(headers, '值').fill('team-secret')
  const body = page.getByRole('group', { name: '请求体', exact: true })
  await body.getByRole('button', { name: '添加一行', exact: true }).click()
  await field(body, '路径').fill('metadata.team')
  await field(body, 'JSON 值').fill('"red"')
  await expect(field(page, '修改后')).toHaveValue(/"metadata": \{\s+"team": "red"\s+\}/)
  await field(page, '首字节超时').fill('30')
  await field(page, '网络代理').fill('http://127.0.0.1:3128/path')
  await submit(page)
  await expect(page.getByText('请求头 Authorization 由网关设置，不能修改')).toBeVisible()
  await expect(page.getByText('代理地址应为 http://')).toBeVisible()
  await field(headers, '请求头名称').fill('X-Team')
  // Nothing listens on this port.
  await field(page, '网络代理').fill('http://127.0.0.1:9')
  await field(page, '代理用户名').fill('bob')
  const sent = sending(page, 'POST')
  await submit(page)
  const warning = page.getByRole('dialog', { name: '仍要保存？', exact: true })
  await expect(warning).toContainText('现在连接不上代理 http://127.0.0.1:9')
  await warning.getByRole('button', { name: '仍要保存', exact: true }).click()
  expect(JSON.parse((await sent).config)).toEqual({
    header_rules: [{ name: 'X-Team', action: 'set', value: 'team-secret' }],
    body_rules: [{ path: 'metadata.team', action: 'set', value: '"red"' }],
    first_byte_timeout: 30,
    proxy: 'http://127.0.0.1:9',
    proxy_user: 'bob',
  })
  await toasted(page, '渠道创建成功')
  await page.getByRole('button', { name: `编辑渠道 ${name}`, exact: true }).click()
  await arrived(page, '编辑渠道')
  await expect(field(headers, '请求头名称')).toHaveValue('X-Team')
  await expect(field(headers, '值')).toHaveAttribute('placeholder', '留空则保留')
  await expect(field(page, '网络代理')).toHaveValue('http://127.0.0.1:9')
  await expect(field(page, '代理用户名')).toHaveValue('')
  await field(page, '网络代理').fill('socks5://127.0.0.1:1080')
  await submit(page)
  await expect(page.getByText('请重新填写密钥').first()).toBeVisible()
})
