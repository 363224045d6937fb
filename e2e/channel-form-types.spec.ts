import { unique } from './support/api.ts'
import { chooseType, openForm, sending, submit } from './support/channel-form.ts'
import { field } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

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
