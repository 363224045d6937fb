import type { Page } from '@playwright/test'
import { unique } from './support/api.ts'
import { arrived, field } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

const row = (page: Page, hint: string) => page.getByRole('row').filter({ hasText: `…${hint}` })

test('several keys become one channel, and each of them is added, limited, paused, tested and removed separately', async ({
  page,
}) => {
  const upstream = await startUpstream()
  const name = unique('pool-')
  await page.goto('/channel/add')
  await field(page, '名称').fill(name)
  await field(page, '密钥').fill('sk-first-key-1111\nsk-second-key-2222')
  await field(page, 'Base URL').fill(upstream.url)
  await field(page, '一个渠道，由 2 个密钥分担调用').check()
  await field(page, '使用顺序').selectOption({ label: '最空闲的优先' })
  await page.getByRole('button', { name: /填入相关模型/ }).click()
  await page.getByRole('button', { name: '创建渠道', exact: true }).click()
  await toasted(page, '渠道创建成功')

  await page.goto(`/channel?keyword=${name}`)
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('2 个密钥')
  await page.getByRole('button', { name: `渠道 ${name} 的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: '密钥', exact: true }).click()
  await arrived(page, '渠道的密钥')
  await expect(page.getByText(`渠道 ${name} 共 2 个密钥`)).toBeVisible()
  await expect(field(page, '使用顺序')).toHaveValue('least_busy')
  await expect(row(page, '1111')).toContainText('从未使用')

  await page.getByRole('button', { name: '添加密钥', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '添加密钥', exact: true })
  await field(dialog, '密钥').fill('sk-second-key-2222\nsk-third-key-3333')
  await field(dialog, '每分钟请求数').fill('60')
  await dialog.getByRole('button', { name: '添加密钥', exact: true }).click()
  await toasted(page, '已添加 1 个，跳过 1 个已有的')
  await expect(row(page, '3333')).toContainText('60 次/分')

  await page.getByRole('button', { name: '测试密钥 …3333', exact: true }).click()
  await toasted(page, /密钥 …3333 测试成功/)

  const more = async (hint: string, item: string) => {
    await page.getByRole('button', { name: `密钥 …${hint} 的更多操作`, exact: true }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await more('1111', '暂停密钥 …1111')
  await expect(row(page, '1111')).toContainText('已暂停')
  await expect(page.getByText('启用 2（其中冷却 0），暂停 1，停用 0')).toBeVisible()
  await field(page, '状态').selectOption({ label: '已暂停' })
  await expect(row(page, '2222')).toHaveCount(0)
  await more('1111', '启用密钥 …1111')
  await expect(page.getByText('启用 3（其中冷却 0），暂停 0，停用 0')).toBeVisible()
  await field(page, '状态').selectOption({ label: '所有状态' })
  await more('2222', '删除密钥')
  await page.getByRole('button', { name: '删除密钥', exact: true }).click()
  await toasted(page, '密钥已删除')
  await expect(row(page, '2222')).toHaveCount(0)

  // A whole key is pasted, and only its end is looked for.
  await page.getByRole('searchbox', { name: '密钥的最后四位', exact: true }).fill('sk-pasted-3333')
  await expect(page).toHaveURL(/hint=3333$/)
  await expect(row(page, '1111')).toHaveCount(0)
  await page.getByRole('checkbox', { name: '选择密钥 …3333', exact: true }).click()
  await page.getByRole('button', { name: '删除所选', exact: true }).click()
  await expect(page.getByRole('dialog', { name: '删除这个密钥？', exact: true })).toContainText('密钥不能恢复')
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await page.getByRole('button', { name: '取消选择', exact: true }).click()
  await page.getByRole('button', { name: '清空搜索', exact: true }).click()
  await expect(row(page, '1111')).toBeVisible()

  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: `编辑渠道 ${name}`, exact: true }).click()
  await arrived(page, '编辑渠道')
  await expect(field(page, '密钥')).toHaveCount(0)
  await field(page, 'Base URL').fill('https://elsewhere.example.com')
  await expect(page.getByText('渠道的 2 个密钥会被删除，保存之后可以再添加。')).toBeVisible()
  await expect(field(page, '密钥')).toBeVisible()
  await upstream.stop()
})
