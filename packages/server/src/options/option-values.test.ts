import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeAdmin } from '../testing/makers.ts'

const LONG = 'x'.repeat(200_001)

/** Kind of option, an example, accepted values, refused values, and the reason. */
const KINDS: [kind: string, key: string, good: string[], bad: string[], reason: string | undefined][] = [
  ['toggle', 'RegisterEnabled', ['false', 'true'], ['', 'yes', 'TRUE', '1', 'null'], '必须是 true 或 false'],
  ['integer', 'RetryTimes', ['0', '10', ' 5 '], ['', ' ', '1.5', 'three', 'NaN', '1e', '{}'], '必须是整数'],
  ['integer in bounds', 'RetryTimes', ['10'], ['-1', '11', '1e300'], undefined],
  ['port', 'SMTPPort', ['1', '65535'], ['0', '65536', '-25'], undefined],
  ['large integer', 'QuotaForNewUser', ['1000000000000'], ['1000000000001', '99999999999999999999'], undefined],
  ['decimal', 'QuotaPerUnit', ['0.01', '500000', '1e3'], ['', 'x', 'NaN', 'Infinity'], '必须是数字'],
  ['decimal in bounds', 'QuotaPerUnit', ['1'], ['0', '-1', '1e13'], undefined],
  [
    'link',
    'TopUpLink',
    ['', 'https://example.com/pay?x=1', 'http://localhost:3000'],
    ['example.com', '/pay', 'javascript:alert(1)', 'data:text/html,x', 'ftp://example.com', 'https://'],
    '必须是 http 或 https 网址',
  ],
  [
    'picture',
    'Logo',
    ['', '/logo.png', 'https://example.com/a.png', 'data:image/png;base64,AAAA'],
    ['logo.png', '//evil.example.com/a.png', '/\\evil.example.com', 'data:image/svg+xml;utf8,<svg/>', 'javascript:x'],
    '必须是图片网址或站内路径',
  ],
  ['text', 'SystemName', ['', 'x', '网关'.repeat(32)], ['x'.repeat(65)], undefined],
  ['address', 'SMTPFrom', ['', 'a@example.com'], ['nobody', 'a@b@c', 'a@example.com, b@example.com'], '格式不正确'],
  ['document', 'About', ['', '<h1>About</h1>', 'https://example.com'], [LONG], undefined],
  [
    'theme',
    'Theme',
    ['light', 'dark', 'auto', 'default', 'berry', 'air'],
    ['', 'blue', 'Dark'],
    '必须是 auto、light 或 dark',
  ],
  ['locale', 'DefaultLocale', ['zh', 'en', 'browser'], ['', 'de', 'zh-CN', 'EN'], '必须是 zh、en 或 browser'],
  ['list', 'EmailDomainWhitelist', ['', 'a.com', 'a.com, b.com'], ['x'.repeat(20_001)], undefined],
  [
    'ratios',
    'ModelRatio',
    ['{}', '{\n  "gpt-4o": 1.25,\n  "free": 0\n}', '{"constructor": 2, "toString": 3}', '{"m": 1000000}'],
    [
      '{',
      'null',
      '7',
      '"text"',
      '[]',
      '[1]',
      '{"m": "1"}',
      '{"m": null}',
      '{"m": -0.1}',
      '{"m": 1e7}',
      '{"m": 1e999}',
      '{"m": NaN}',
      '{"m": {}}',
      '{"": 1}',
      `{"${'m'.repeat(257)}": 1}`,
    ],
    '必须是合法的 JSON 对象，值为 0 到 1000000 的数字',
  ],
  [
    'limits',
    'GroupRateLimits',
    ['{}', '{"default": {"rpm": 60}}', '{"constructor": {"tpm": 1000000000, "models": {"toString": {"rpm": 1}}}}'],
    [
      '{',
      'null',
      '[]',
      '{"g": 5}',
      '{"g": {"rpm": 0}}',
      '{"g": {"rpm": -1}}',
      '{"g": {"tpm": 1.5}}',
      '{"g": {"concurrency": "3"}}',
      '{"g": {"rpm": 1000000001}}',
      '{"g": {"rps": 1}}',
      '{"g": {"models": {"m": {"models": {}}}}}',
      '{"": {"rpm": 1}}',
      JSON.stringify({
        g: { models: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`m${n}`, { rpm: 1 }])) },
      }),
    ],
    '必须是分组到速率限制的 JSON 对象，rpm、tpm、concurrency 是 1 到 1000000000 的整数，每个分组最多 20 个模型',
  ],
]

test.each(KINDS)(
  'a %s is accepted or refused, and a refusal keeps the old value',
  async (_, key, good, bad, reason) => {
    const app = await testApp()
    const { client } = await makeAdmin(app)
    const stored = async () =>
      (await client.get('/api/option/')).data.find((entry: { key: string }) => entry.key === key).value
    let last = await stored()
    for (const value of good) {
      expect(await client.put('/api/option/', { key, value })).toMatchObject({ success: true, message: '' })
      expect(await stored()).toBe(value)
      last = value
    }
    for (const value of bad) {
      const zh = await client.put('/api/option/', { key, value })
      const en = await client.put('/api/option/', { key, value }, { 'accept-language': 'en' })
      for (const { status, success } of [zh, en])
        expect({ value, status, success }).toEqual({ value, status: 200, success: false })
      expect(zh.message).toStartWith(`${key} 的值无效：`)
      if (reason !== undefined) expect(zh.message).toEndWith(reason)
      expect(en.message).toStartWith(`The value of ${key} is not valid: `)
      expect(en.message).not.toMatch(/[\u4e00-\u9fff]/)
      expect(await stored()).toBe(last)
    }
  },
)

test('names of JavaScript object properties are ordinary names in a table of ratios', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const value = '{"default": 1, "__proto__": 5, "constructor": 2, "hasOwnProperty": 3}'
  expect((await client.put('/api/option/', { key: 'GroupRatio', value })).success).toBe(true)
  const ratios = app.parts.options.values().GroupRatio
  expect([...ratios]).toEqual([
    ['default', 1],
    ['__proto__', 5],
    ['constructor', 2],
    ['hasOwnProperty', 3],
  ])
  expect((await client.get('/api/group/')).data).toEqual(['default', '__proto__', 'constructor', 'hasOwnProperty'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('the group ratios keep the group default', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const value of ['{}', '{"vip": 2}', '']) {
    const refused = await client.put('/api/option/', { key: 'GroupRatio', value })
    expect(refused).toMatchObject({ success: false, message: '分组倍率必须包含 default' })
  }
  expect((await client.get('/api/group/')).data).toEqual(['default', 'vip', 'svip'])
})

test('a theme of the older consoles reads as auto', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const [value, theme] of [
    ['berry', 'auto'],
    ['dark', 'dark'],
    ['air', 'auto'],
    ['light', 'light'],
    ['default', 'auto'],
  ]) {
    await client.put('/api/option/', { key: 'Theme', value })
    expect((await client.get('/api/status')).data.theme).toBe(theme)
  }
})
