import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { unique } from './support/api.ts'
import { expectAccessible } from './support/axe.ts'
import { expect, test, toasted } from './support/test.ts'

const open = async (page: Page, name: string) => {
  await page.getByRole('button', { name: '批量操作', exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('channels are copied, exported with encrypted keys, and imported again after a preview', async ({
  page,
  root,
  signInAs,
}) => {
  const name = unique('moved-')
  await root.makeChannel({ name, key: 'sk-a-secret-of-the-story' })
  await signInAs(root)
  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: `渠道 ${name} 的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: '复制渠道', exact: true }).click()
  await toasted(page, `已复制为“${name} 副本”，副本处于禁用状态`)
  await expect(page.getByRole('textbox', { name: '名称', exact: true })).toHaveValue(`${name} 副本`)

  await page.goto(`/channel?keyword=${name}`)
  await expect(page.getByRole('row').filter({ hasText: `${name} 副本` })).toContainText('已手动禁用')
  await open(page, '导出渠道')
  const exporting = page.getByRole('dialog', { name: '导出渠道', exact: true })
  await exporting.getByRole('switch').click({ force: true })
  await expect(exporting.getByRole('button', { name: '下载文件', exact: true })).toBeDisabled()
  await exporting.locator('input[type=password]').fill('correct horse battery')
  await expectAccessible(page)
  const downloading = page.waitForEvent('download')
  await exporting.getByRole('button', { name: '下载文件', exact: true }).click()
  const path = await (await downloading).path()
  await toasted(page, '已导出 2 个渠道')
  const content = await readFile(path, 'utf8')
  expect(content).toContain(name)
  expect(content).not.toContain('sk-a-secret')

  const { data } = await root.call('GET', `/api/channel/search?keyword=${name}`)
  for (const { id } of data) await root.call('DELETE', `/api/channel/${id}`)
  await page.reload()
  await open(page, '导入渠道')
  const importing = page.getByRole('dialog', { name: '导入渠道', exact: true })
  const chooser = page.waitForEvent('filechooser')
  await importing.getByRole('button', { name: /文件/ }).click()
  const broken = content.replace('"type": 1,', '"type": 9999,')
  await (await chooser).setFiles({ name: 'channels.json', mimeType: 'application/json', buffer: Buffer.from(broken) })
  await importing.locator('input[type=password]').fill('a wrong passphrase')
  await importing.getByRole('button', { name: '预览', exact: true }).click()
  await toasted(page, '口令不正确，或文件已损坏')
  await importing.locator('input[type=password]').fill('correct horse battery')
  await importing.getByRole('button', { name: '预览', exact: true }).click()
  await expect(importing).toContainText('新建 1 个，修改 0 个，0 个没有变化。')
  await expect(importing).toContainText(`第 1 行 ${name} · 不支持的渠道类型`)
  await expectAccessible(page)
  await importing.getByRole('button', { name: '导入 1 个渠道', exact: true }).click()
  await toasted(page, '已新建 1 个、修改 0 个渠道')
  await expect(page.getByRole('row').filter({ hasText: `${name} 副本` })).toContainText('已手动禁用')

  // A table without keys leads to the channels that need one.
  await open(page, '导入渠道')
  const again = page.waitForEvent('filechooser')
  await importing.getByRole('button', { name: /文件/ }).click()
  const table = `type,name,models\n1,${name} 表格,gpt-4o\n`
  await (await again).setFiles({ name: 'channels.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  await importing.getByRole('button', { name: '预览', exact: true }).click()
  await importing.getByRole('button', { name: '导入 1 个渠道', exact: true }).click()
  await expect(importing).toContainText('1 个渠道没有密钥')
  await importing.getByRole('link', { name: '查看没有密钥的渠道', exact: true }).click()
  await expect(page).toHaveURL(/without_key=true/)
  await expect(page.getByRole('row').filter({ hasText: `${name} 表格` })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: `${name} 副本` })).toBeHidden()
})
