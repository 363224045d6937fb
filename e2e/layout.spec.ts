import type { Locator, Page } from '@playwright/test'
import { unique } from './support/api.ts'
import { CALL, showLogs } from './support/calls.ts'
import { field } from './support/find.ts'
import { expect, inEnglish, test } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'

/* Layout at the usual widths: nothing is cut off, and nothing wraps that should not. */

const LONG_ZH = '生产环境主渠道（华东二区）备用线路之三'
const WIDTHS = [1280, 1440, 390] as const

const atWidth = (page: Page, width: number) => page.setViewportSize({ width, height: width === 390 ? 844 : 900 })

/** The texts of those elements that are cut off on the right. */
const cut = (boxes: Locator) =>
  boxes.evaluateAll((all) =>
    all.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.textContent || box.ariaLabel),
  )

/** Nothing makes the page scroll sideways, and no table is wider than its frame. */
async function expectFits(page: Page) {
  const wider = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main div:has(> table)')]
      .filter((box) => box.scrollWidth > box.clientWidth)
      .map(({ className, scrollWidth, clientWidth }) => `${className}: ${scrollWidth} in ${clientWidth}`),
  )
  expect(wider).toEqual([])
}

const linesOf = (boxes: Locator) =>
  boxes.evaluateAll((all) =>
    all.map((box) => new Set([...box.getClientRects()].map(({ top }) => Math.round(top))).size),
  )

const topOf = (box: Locator) => box.evaluate((element) => Math.round(element.getBoundingClientRect().top))
const middleOf = (box: Locator) =>
  box.evaluate((element) => {
    const { top, height } = element.getBoundingClientRect()
    return top + height / 2
  })

test('the list of channels fits every width: names, types, numbers, buttons', async ({ page, root, signInAs }) => {
  const prefix = unique('wide-')
  const channels = [
    { name: `${prefix}-${LONG_ZH}`, type: 14, weight: 999_999, priority: 999_999, group: 'default,vip,svip' },
    { name: `${prefix}-openai-production-eu-west-1`, type: 55, models: 'gpt-4o,house-one,house-two', weight: 12 },
  ]
  for (const channel of channels) await root.makeChannel(channel)
  await signInAs(root)
  for (const width of WIDTHS) {
    await atWidth(page, width)
    await page.goto(`/channel?keyword=${prefix}`)
    await expect(page.getByText('Anthropic Claude')).toBeVisible()
    await expectFits(page)
    expect(await cut(page.getByTitle(/^(Anthropic Claude|代理：Vercel AI Gateway|Vercel AI Gateway)$/))).toEqual([])
    expect(await cut(page.getByLabel(/的(优先级|权重)$/))).toEqual([])
    expect(await cut(page.getByRole('main').getByRole('link', { name: '创建渠道', exact: true }))).toEqual([])
    const name = page.getByTitle(`${prefix}-${LONG_ZH}`, { exact: true })
    expect(await name.evaluate((box) => box.clientWidth)).toBeGreaterThanOrEqual(120)
  }
  const mark = page.getByRole('img', { name: /^2 个模型没有价格/ })
  await mark.click()
  const tip = page.getByRole('tooltip')
  expect((await tip.boundingBox())?.width).toBeGreaterThanOrEqual(240)

  // The letters of the language switch are centred in the header like its icons.
  const word = page.getByRole('button', { name: 'Switch to English', exact: true }).locator('span')
  const icon = page.getByRole('banner').getByRole('button').first().locator('svg')
  expect(Math.abs((await middleOf(word)) - (await middleOf(icon)))).toBeLessThanOrEqual(1)
})

test('the list of tokens fits every width: long names, limits, times', async ({ page, api, signIn }) => {
  const limits = { rpm: 120_000, tpm: 40_000_000, concurrency: 500 }
  await signIn()
  // A column for limits appears with the first of them.
  for (const more of [{}, { rate_limits: limits }]) {
    const name = `${'rate_limits' in more ? 'limited' : 'free'} ${'w'.repeat(20)}`
    await api.makeToken({ name, expired_time: 4_102_444_800, remain_quota: 900_000_000_000, ...more })
    for (const width of WIDTHS) {
      await atWidth(page, width)
      await page.goto('/token')
      await expect(page.getByText(name, { exact: true })).toBeVisible()
      await expectFits(page)
    }
  }
})

test('the log and its filters fit every width, and an entry begins with its model', async ({
  page,
  root,
  signInAs,
}) => {
  const error =
    'The model `gpt-4.1-mini` does not exist, or the key has no access to it. Check the plan of the account.'
  const failed = { ...CALL, id: 9, type: 6, quota: 0, content: error, detail: { ...CALL.detail, error } }
  const long = { ...CALL, id: 8, model_name: 'accounts/fireworks/models/kimi-k2p6-instruct', token_name: LONG_ZH }
  await inEnglish(page)
  await signInAs(root)
  await showLogs(page, [CALL, failed, long])
  for (const width of [1280, 1440]) {
    await atWidth(page, width)
    await page.goto('/log')
    await expect(page.getByRole('time')).toHaveCount(3)
    await expectFits(page)
    expect(await linesOf(page.getByRole('time'))).toEqual([1, 1, 1])
    const dates = [page.getByLabel('From', { exact: true }), page.getByLabel('Until', { exact: true })] as const
    expect(await topOf(dates[1])).toBe(await topOf(dates[0]))
    expect(await cut(dates[1])).toEqual([])
    const first = ['Type', 'Token name', 'Model name', 'Username', 'Channel ID']
    const tops = await Promise.all(first.map((label) => topOf(page.getByLabel(label, { exact: true }))))
    expect(new Set(tops).size).toBe(1)
  }
  // Without an error on the page, the ratio is no wider than the model.
  await showLogs(page, [CALL, long])
  await page.goto('/log')
  await expect(page.getByRole('time')).toHaveCount(2)
  const widths = await page
    .locator('tbody tr')
    .first()
    .getByText(/^(gpt-4\.1-mini|倍率：.*)$/)
    .evaluateAll((texts) => texts.map((text) => text.closest('td')?.clientWidth ?? 0))
  expect(widths[0]).toBeGreaterThan(widths[1] ?? 0)

  await atWidth(page, 390)
  await page.goto('/log')
  const card = page.getByRole('list', { name: 'Usage logs', exact: true }).getByRole('listitem').first()
  await expect(card).toHaveText(/^gpt-4\.1-mini/)
  expect((await page.getByText('2 entries', { exact: true }).boundingBox())?.height).toBeLessThan(30)
  await expectFits(page)
  // The longest titles are not truncated on a phone.
  for (const [path, title] of [
    ['/redemption', 'Redemption codes'],
    ['/nowhere', 'Page does not exist'],
  ] as const) {
    await page.goto(path)
    const heading = page.getByRole('banner').getByRole('heading', { name: title, exact: true })
    const room = await heading.evaluate((box) => [
      box.clientWidth - box.scrollWidth,
      box.clientHeight - box.scrollHeight,
    ])
    expect(room).toEqual([0, 0])
  }
})

test('the type of a channel is found by typing, and fetched models are in view', async ({ page, root, signInAs }) => {
  const upstream = await startUpstream()
  await signInAs(root)
  await atWidth(page, 1440)
  await page.goto('/channel/add')
  const type = page.getByRole('combobox', { name: '类型', exact: true })
  await type.click()
  await expect(page.getByRole('option')).toHaveCount(61)
  // The chosen one is filled with the accent colour; its label is white, whatever its own colour.
  const chosen = page.getByRole('option', { name: 'OpenAI', exact: true })
  await expect(chosen).toHaveAttribute('data-combobox-selected')
  await expect(chosen.getByText('OpenAI', { exact: true })).toHaveCSS('color', 'rgb(255, 255, 255)')
  const list = await page.getByRole('listbox').boundingBox()
  const rows = await page
    .getByRole('option')
    .evaluateAll(
      (options, bottom) => options.filter((option) => option.getBoundingClientRect().bottom < bottom).length,
      (list?.y ?? 0) + (list?.height ?? 0),
    )
  expect(rows).toBeGreaterThanOrEqual(9)
  await page.keyboard.type('deep')
  await expect(type).toHaveValue('deep')
  await expect(page.getByRole('option')).toHaveText(['DeepSeek', 'DeepL', 'DeepInfra'])
  await page.keyboard.press('Enter')
  await expect(type).toHaveValue('DeepSeek')
  // With the list closed, the first key opens it and is not lost; Enter need not wait until the list is drawn.
  await type.focus()
  await page.keyboard.press('Escape')
  await page.keyboard.type('自定义')
  await page.keyboard.press('Enter')
  await expect(type).toHaveValue('自定义渠道')

  await field(page, '自定义 Base URL').fill(upstream.url)
  await field(page, '密钥').fill('sk-not-saved')
  await page.getByRole('button', { name: '从上游获取', exact: true }).click()
  const found = page.getByRole('region', { name: '上游的模型', exact: true })
  await expect(found).toBeVisible()
  const bar = page.locator('form > div:has(> button[type=submit])')
  await expect
    .poll(async () => {
      const [shown, below] = [await found.boundingBox(), await bar.boundingBox()]
      return shown !== null && below !== null && shown.y >= 56 && shown.y + shown.height <= below.y
    })
    .toBe(true)
  await upstream.stop()
})

test('one’s own profile is not one of the user pages', async ({ page, root, signInAs }) => {
  await signInAs(root)
  await page.goto('/user/edit')
  await expect(field(page, '用户名')).toBeVisible()
  const entry = page.getByRole('navigation').getByRole('link', { name: '用户', exact: true })
  await expect(entry).not.toHaveAttribute('data-status', 'active')
  await page.goto('/user/add')
  await expect(entry).toHaveAttribute('data-status', 'active')
})
