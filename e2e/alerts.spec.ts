import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { unique } from './support/api.ts'
import { arrived, field } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'

/** The receiver of a webhook. It refuses until the test lets it accept. */
async function startHook() {
  const titles: string[] = []
  let status = 404
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      titles.push(JSON.parse(Buffer.concat(chunks).toString()).title)
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    address: `http://127.0.0.1:${port}/hooks/alerts-0123`,
    titles,
    accept: () => {
      status = 204
    },
    stop: () => server.close(),
  }
}

test('root adds a destination, sees why a test failed and that the next one arrived, and creates, changes and deletes a rule', async ({
  page,
  root,
  signInAs,
}) => {
  const hook = await startHook()
  const name = unique('值班')
  await signInAs(root)
  await page.goto('/alert?tab=destinations')
  await page.getByRole('button', { name: '添加通知目标', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await field(dialog, '方式').click()
  await page.getByRole('option', { name: 'Webhook', exact: true }).click()
  await field(dialog, '名称').fill(name)
  await field(dialog, '地址').fill(hook.address)
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(dialog.getByText('请填写密钥', { exact: true })).toBeVisible()
  await field(dialog, '密钥').fill('a-secret-0123')
  await dialog.getByRole('switch').check()
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await toasted(page, '通知目标已保存')

  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('/…0123')
  await expect(row).not.toContainText('hooks')
  await row.getByRole('button', { name: `向 ${name} 发送测试`, exact: true }).click()
  await toasted(page, '没有送达：HTTP 404')
  await page.getByRole('tab', { name: '发送记录', exact: true }).click()
  await expect(row).toContainText('HTTP 404')
  hook.accept()
  await page.getByRole('tab', { name: '通知目标', exact: true }).click()
  await row.getByRole('button', { name: `向 ${name} 发送测试`, exact: true }).click()
  await toasted(page, '测试消息已被接受')
  expect(hook.titles).toHaveLength(2)
  await page.getByRole('tab', { name: '发送记录', exact: true }).click()
  await expect(row).toHaveCount(2)
  await expect(row.first()).toContainText('已送达')

  await page.getByRole('tab', { name: '规则', exact: true }).click()
  await page.getByRole('button', { name: '新建规则', exact: true }).first().click()
  await field(dialog, '类型').click()
  await page.getByRole('option', { name: '每小时消费异常', exact: true }).click()
  await field(dialog, '平时的倍数').fill('4')
  await dialog.getByLabel(`${name} (Webhook)`, { exact: true }).uncheck()
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(dialog.getByText('请至少选择一个通知目标', { exact: true })).toBeVisible()
  await dialog.getByLabel(`${name} (Webhook)`, { exact: true }).check()
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await toasted(page, '规则已保存')
  const rule = page.getByRole('row').filter({ hasText: name })
  await expect(rule).toContainText('超过平时的 4 倍 · 至少 $1.00')
  await rule.getByRole('button', { name: '编辑规则 每小时消费异常', exact: true }).click()
  await field(dialog, '静默时间（分钟）').fill('90')
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(rule).toContainText('1 小时 30 分钟')
  await rule.getByRole('button', { name: '每小时消费异常 的更多操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '删除规则', exact: true }).click()
  await page.getByRole('button', { name: '删除规则', exact: true }).click()
  await toasted(page, '规则已删除')
  await expect(rule).toHaveCount(0)
  hook.stop()
})

test('a user chooses in the settings how to be notified of a low balance', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/setting')
  await page.getByRole('link', { name: '告警', exact: true }).click()
  await arrived(page, '告警')
  await expect(page.getByText('先添加一个通知目标', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: '添加通知目标', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('发往账户绑定的邮箱。', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('switch')).toHaveCount(0)
  await field(dialog, '名称').fill('我的邮箱')
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await toasted(page, '通知目标已保存')
  await page.getByRole('button', { name: '新建规则', exact: true }).first().click()
  await field(dialog, '低于').fill('2.5')
  await expect(dialog.getByLabel('我的邮箱 (邮件)', { exact: true })).toBeChecked()
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await toasted(page, '规则已保存')
  await expect(page.getByRole('row').filter({ hasText: '我的邮箱' })).toContainText('低于 $2.50')
})
