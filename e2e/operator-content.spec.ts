import type { Locator, Page } from '@playwright/test'
import { answer, withStatus } from './support/status.ts'
import { expect, test, toasts } from './support/test.ts'

/* Operator content for footer, notice, home and about may look like anything, but must not cover anything else. */

const COVER = 'position:fixed;inset:0;z-index:2147483647;background:#fff'
const HOSTILE = [
  `<a href="https://evil.example"><div style="${COVER}">登录</div></a>`,
  `<div style="position:absolute;top:-9999px;left:-9999px;width:99999px;height:99999px;z-index:99999"></div>`,
  `<div style="position:sticky;top:0;height:100vh;margin:-9000px;transform:scale(900) translateY(-9000px)">x</div>`,
  `<dialog open style="${COVER}">x</dialog><div popover="manual" style="${COVER};display:block">x</div>`,
  `<svg style="${COVER};width:100vw;height:100vh"><rect width="100%" height="100%"/></svg>`,
  `<div style="box-shadow:0 0 0 9999px red;outline:9999px solid red;filter:blur(0)">x</div>`,
  `<style>body *{visibility:hidden}</style><div style="margin-top:-5000px;padding-bottom:9000px">x</div>`,
].join('\n')

async function withHostileTexts(page: Page, text: string) {
  await withStatus(page, { footer_html: text })
  for (const path of ['**/api/notice', '**/api/home_page_content', '**/api/about']) {
    await answer(page, path, { success: true, message: '', data: text })
  }
}

/** A click there hits the element or a part of it. */
async function expectReachable(target: Locator) {
  await expect(target).toBeVisible()
  const hit = await target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const there = document.elementFromPoint(left + width / 2, top + height / 2)
    return there !== null && (element.contains(there) || there.contains(element)) ? 'itself' : there?.outerHTML
  })
  expect(hit).toBe('itself')
}

test('hostile operator content covers no button, on any page that visitors see', async ({ page }) => {
  await withHostileTexts(page, HOSTILE)
  await page.goto('/')
  await expect(toasts(page).locator('[data-kind=notice]')).toBeVisible()
  await expectReachable(page.getByRole('banner').getByRole('link', { name: '登录', exact: true }))
  await page.goto('/about')
  await expect(page.getByRole('main')).toContainText('登录')
  await expectReachable(page.getByRole('banner').getByRole('link', { name: '登录', exact: true }))
  for (const [path, button] of [
    ['/login', '登录'],
    ['/register', '注册'],
    ['/reset', '发送重置邮件'],
    ['/user/reset?email=a@example.com&token=t', '重置密码'],
  ] as const) {
    await page.goto(path)
    await expectReachable(page.getByRole('main').getByRole('button', { name: button, exact: true }))
    await expect(page.getByRole('contentinfo')).toContainText('Tollgate')
    await expect(page.getByRole('contentinfo').getByText('x')).toHaveCount(0)
  }
})

test('a notice from the home page is not shown where a password is entered, and returns afterwards', async ({
  page,
}) => {
  await withHostileTexts(page, `维护通知 ${HOSTILE}`)
  await page.goto('/')
  const notice = toasts(page).locator('[data-kind=notice]')
  await expect(notice).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(notice).toBeHidden()
  await page.goBack()
  await expect(notice).toBeVisible()
})

test('where a signed-in user changes a password there is no operator content', async ({ page, signIn }) => {
  await signIn()
  await withHostileTexts(page, HOSTILE)
  await page.goto('/token')
  await expectReachable(page.getByRole('link', { name: '首页', exact: true }).first())
  await page.goto('/user/edit')
  await expectReachable(page.getByRole('button', { name: '保存个人信息', exact: true }))
  await expect(page.getByRole('contentinfo')).toContainText('Tollgate')
})
