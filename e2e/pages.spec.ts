import { field } from './support/find.ts'
import { answer, withStatus } from './support/status.ts'
import { expect, test, toasted } from './support/test.ts'

const about = '**/api/about'

test('about shows operator content, and none of it runs [R2.27]', async ({ page }) => {
  await answer(page, about, {
    success: true,
    message: '',
    data: '# Who we are\n\n<a href="javascript:alert(1)">Click</a><script>alert(2)</script><iframe src="https://a.example"></iframe>',
  })
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'Who we are', exact: true })).toBeVisible()
  await expect(page.getByText('Click')).not.toHaveAttribute('href')
  await expect(page.locator('main script, main iframe')).toHaveCount(0)
})

test('about may be another site, in a sandboxed frame [R2.27]', async ({ page }) => {
  await page.route('https://about.example.com/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }),
  )
  await answer(page, about, { success: true, message: '', data: 'https://about.example.com/' })
  await page.goto('/about')
  const frame = page.locator('iframe[title="关于"]')
  await expect(frame).toHaveAttribute('referrerpolicy', 'no-referrer')
  expect(await frame.getAttribute('sandbox')).not.toContain('top-navigation')
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Elsewhere', exact: true })).toBeVisible()
})

test('about without content says so, and shows an administrator where to write it [R2.27]', async ({
  page,
  signInAs,
  admin,
}) => {
  await page.goto('/about')
  await expect(page.getByText('Tollgate 是一个 AI 模型 API 网关')).toBeVisible()
  await expect(page.getByRole('link', { name: '去设置', exact: true })).toHaveCount(0)
  await signInAs(admin)
  await page.goto('/about')
  await page.getByRole('link', { name: '去设置', exact: true }).click()
  await expect(field(page, '关于页面的内容')).toBeInViewport()
})

test('about that cannot be loaded offers a retry [R2.27]', async ({ page }) => {
  await answer(page, about, { success: false, message: '' }, 500)
  await page.goto('/about')
  await expect(page.getByText('加载关于内容失败')).toBeVisible()
  await toasted(page, '错误：服务器内部错误，请联系管理员')
  await page.unroute(about)
  await page.getByRole('button', { name: '重试', exact: true }).click()
  await expect(page.getByText('Tollgate 是一个 AI 模型 API 网关')).toBeVisible()
})

test('chat shows the configured site in a sandboxed frame, and only then has a menu entry [R2.28 R2.36]', async ({
  page,
}) => {
  await page.goto('/chat')
  await expect(page.getByText('还没有设置聊天页面')).toBeVisible()
  await expect(page.getByRole('link', { name: '聊天', exact: true })).toHaveCount(0)
  await page.route('https://chat.example.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Chat here</h1>' }),
  )
  await withStatus(page, { chat_link: 'https://chat.example.com/' })
  await page.goto('/')
  await page.getByRole('link', { name: '聊天', exact: true }).click()
  const frame = page.locator('iframe[title="聊天"]')
  await expect(frame).toHaveAttribute('src', 'https://chat.example.com/')
  await expect(frame).toHaveAttribute('referrerpolicy', 'no-referrer')
  expect(await frame.getAttribute('sandbox')).toContain('allow-scripts')
  expect(await frame.getAttribute('sandbox')).not.toContain('top-navigation')
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Chat here', exact: true })).toBeVisible()
})

test('a chat site without https is opened in a tab instead [R2.28]', async ({ page }) => {
  await withStatus(page, { chat_link: 'http://chat.local/' })
  await page.goto('/chat')
  await expect(page.getByRole('link', { name: '在新标签页中打开', exact: true })).toHaveAttribute(
    'href',
    'http://chat.local/',
  )
  await expect(page.locator('iframe')).toHaveCount(0)
})
