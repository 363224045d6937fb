import type { Page } from '@playwright/test'
import { fund, unique } from './support/api.ts'
import { CALL, RECORDING, showBusyAccount, showLogs } from './support/calls.ts'
import { scrollTo } from './support/find.ts'
import { expectToFit, LOCALES, type Locale, setLocale } from './support/screens.ts'
import { answer } from './support/status.ts'
import { expect, test } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'
import { showAttention, showUsage } from './support/usage.ts'

/* Users, codes, top-up, logs and home, in both languages, schemes and widths. */

test.slow()

for (const locale of LOCALES) {
  test(`home is accessible and fits: ${locale} [R0.02]`, async ({ page, api, signIn }) => {
    await setLocale(page, locale)
    await visit(page, '/', 'home-visitor', locale)
    await signIn()
    await visit(page, '/', 'home-new', locale)
    await visit(page, '/topup', 'topup', locale)
    await visit(page, '/log', 'log-empty', locale)
    await showBusyAccount(page, api)
    await showLogs(page, [CALL])
    await page.goto('/')
    await scrollTo(page, page.locator('.recharts-bar-rectangle').first())
    await settled(page, 'home-busy', locale)
    await page.goto('/analytics?compare=yes')
    await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible()
    await settled(page, 'analytics-own', locale)
  })

  test(`the gateway and its analytics are accessible and fit: ${locale} [R0.02]`, async ({ page, root, signInAs }) => {
    await setLocale(page, locale)
    await signInAs(root)
    await showUsage(page)
    await showAttention(page)
    await page.goto('/')
    await scrollTo(page, page.locator('.recharts-bar-rectangle').first())
    await settled(page, 'home-gateway', locale)
    for (const [name, address] of [
      ['analytics', '/analytics'],
      ['analytics-lines', '/analytics?range=today&metric=first_byte_p95'],
      ['analytics-users', '/analytics?by=user&metric=calls&model=gpt-4.1-mini'],
    ] as const) {
      await page.goto(address)
      await expect(page.locator('.recharts-surface').first()).toBeVisible()
      await settled(page, name, locale)
    }
    await page.locator('main button[aria-expanded]:not([aria-haspopup])').click()
    await settled(page, 'analytics-filters', locale)
    await page.locator('main fieldset').first().getByRole('button').last().click()
    await expect(page.getByRole('dialog').getByRole('table')).toBeVisible()
    await settled(page, 'analytics-days', locale)
    await showUsage(page, { calls: () => 0 })
    await visit(page, '/analytics', 'analytics-empty', locale)
  })

  test(`connect is accessible and fits: ${locale} [R0.02]`, async ({ page, api, root, account, signIn }) => {
    const upstream = await startUpstream()
    // Names used only in this test: others leave channels behind whose providers have stopped.
    const models = ['claude-sonnet-4-5-', 'gpt-5-', 'gemini-3-pro-', 'qwen3-coder-'].map(unique)
    await root.makeChannel({ base_url: upstream.url, models: models.join(',') })
    await fund(root, account)
    const barred = await api.makeToken({ name: 'old', models: 'retired-model' })
    await api.makeToken({ name: 'laptop', models: models.join(',') })
    await setLocale(page, locale)
    await signIn()
    await visit(page, '/connect', 'connect', locale)
    await visit(page, `/connect?app=codex&model=${models[0]}`, 'connect-codex', locale)
    await page.getByRole('main').getByRole('button').last().click()
    await page.locator('main a[href^="/log"]').scrollIntoViewIfNeeded()
    await settled(page, 'connect-tested', locale)
    await visit(page, '/connect?app=lobe-chat', 'connect-fields', locale)
    await visit(page, '/connect?app=openai', 'connect-library', locale)
    await visit(page, `/connect?token=${barred.id}`, 'connect-no-models', locale)
    await visit(page, '/model', 'models', locale)
    await visit(page, '/model?keyword=nobody-has-this', 'models-not-found', locale)
    await upstream.stop()
  })

  test(`users and codes are accessible and fit: ${locale} [R0.02]`, async ({ page, root, signInAs }) => {
    const { username } = await root.makeUser()
    const { data: users } = await root.call('GET', `/api/user/search?keyword=${username}`)
    const name = unique('中文批次')
    await root.call('POST', '/api/redemption/', { name, count: 2 })
    const { data: codes } = await root.call('GET', `/api/redemption/search?keyword=${encodeURIComponent(name)}`)
    await setLocale(page, locale)
    await signInAs(root)
    await visit(page, '/user', 'user', locale)
    await visit(page, '/user/add', 'user-add', locale)
    await visit(page, `/user/edit/${users[0].id}`, 'user-edit', locale)
    await visit(page, '/user/edit', 'profile', locale)
    const budget = { scope: 'user', target: String(users[0].id), quota: 1_000_000, period: 'day' }
    const { data: budgetId } = await root.call('POST', '/api/budget/', budget)
    await visit(page, '/budget', 'budget', locale)
    await visit(page, '/budget/add', 'budget-add', locale)
    await visit(page, `/budget/edit/${budgetId}`, 'budget-edit', locale)
    const hook = {
      owner: 'gateway',
      way: 'slack',
      name: unique('值班群'),
      address: 'https://hooks.slack.com/services/T/B/X',
    }
    const { data: destination } = await root.call('POST', '/api/alert/destination/', hook)
    const rule = { id: 1, owner: 'gateway', threshold: 3, minimum: 500_000, quiet_minutes: 90, created_time: 1 }
    const shared = { destinations: [destination], enabled: true, firing: 0, firing_now: [] }
    const title = {
      zh: '渠道「azure-eastus」（#12）已被自动禁用',
      en: 'Channel "azure-eastus" (#12) was disabled automatically',
    }
    const firing = { id: 2, kind: 'channel_disabled', firing: 1, firing_now: [{ title, since: 1_800_000_000 }] }
    const rules = [
      { ...rule, ...shared, kind: 'spend' },
      { ...rule, ...shared, ...firing },
    ]
    await answer(page, '**/api/alert/rule/?**', { success: true, message: '', data: rules })
    await visit(page, '/alert', 'alert', locale)
    await page
      .locator('main button')
      .filter({ has: page.locator('svg') })
      .first()
      .click()
    await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible()
    await settled(page, 'alert-rule', locale)
    await visit(page, '/alert?tab=destinations', 'alert-destinations', locale)
    await visit(page, '/alert?tab=deliveries', 'alert-deliveries', locale)
    await visit(page, '/alert?owner=own', 'alert-own', locale)
    await visit(page, '/audit', 'audit', locale)
    await visit(page, '/redemption', 'redemption', locale)
    await visit(page, '/redemption/add', 'redemption-add', locale)
    await visit(page, `/redemption/edit/${codes[0].id}`, 'redemption-edit', locale)
  })

  test(`logs and their panel are accessible and fit: ${locale} [R0.02]`, async ({ page, root, signInAs }) => {
    await setLocale(page, locale)
    await signInAs(root)
    const recorded = { ...CALL, detail: { ...CALL.detail, recorded: true } }
    await showLogs(
      page,
      Array.from({ length: 10 }, (_, index) => ({ ...recorded, id: index + 1, type: (index % 6) + 1 })),
      42,
    )
    await answer(page, '**/api/log/recording/*', { success: true, message: '', data: RECORDING })
    await visit(page, '/log', 'log', locale)
    await page.getByText('gpt-4.1-mini').first().click()
    await expect(page.getByRole('dialog')).toContainText('req-0192f3c4')
    await settled(page, 'log-panel', locale)
    await page.getByRole('dialog').getByRole('button').last().click()
    await expect(page.getByText('Take an umbrella.')).toBeVisible()
    for (const folded of await page.getByRole('dialog').locator('summary').all()) await folded.click()
    await settled(page, 'log-recording', locale)
  })
}

async function visit(page: Page, path: string, name: string, locale: Locale) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  await expect(page.locator('main > *').first()).not.toBeEmpty()
  await settled(page, name, locale)
}

async function settled(page: Page, name: string, locale: Locale) {
  await page.waitForLoadState('networkidle')
  await expectToFit(page, name, locale)
}
