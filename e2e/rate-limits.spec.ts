import { fund } from './support/api.ts'
import { expectAccessible } from './support/axe.ts'
import { field, row } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'

test('limits are set for a group, a user and a key, and their owner sees the current usage', async ({
  page,
  root,
  admin,
  api,
  account,
  server,
  signIn,
  signInAs,
}) => {
  const upstream = await startUpstream()
  const model = 'limited-model'
  await root.makeChannel({ base_url: upstream.url, type: 8, models: model })
  await fund(root, account)
  const { data } = await root.call('GET', `/api/user/search?keyword=${account.username}`)
  const [{ id: userId }] = data
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await signInAs(admin)
  await page.goto('/setting?tab=operation#limits')
  const limits = page.getByRole('region', { name: '速率限制', exact: true })
  await field(limits, '分组名称').fill('default')
  await page.keyboard.press('Enter')
  await expect(limits).toContainText('它们各自计数')
  const group = limits.getByRole('group', { name: 'default', exact: true })
  await field(group, '每分钟请求数').fill('0')
  await button('保存速率限制').click()
  await expect(field(group, '每分钟请求数')).toHaveAccessibleDescription('不能小于 1')
  // Another administrator saves while this one types: nothing of that is lost.
  await root.setOption('GroupRateLimits', '{"vip":{"rpm":1}}')
  await field(group, '每分钟请求数').fill('600')
  await button('保存速率限制').click()
  await expect(limits).toContainText('已被其他管理员修改，这次没有保存')
  page.once('dialog', (unsaved) => unsaved.accept())
  await page.reload()
  await field(limits, '分组名称').fill('default')
  await page.keyboard.press('Enter')
  await field(group, '每分钟请求数').fill('600')
  await button('保存速率限制').click()
  await toasted(page, '操作成功完成')

  await page.goto(`/user/edit/${userId}`)
  await field(page, '同时进行的调用数').fill('4')
  await button('保存用户').click()
  await toasted(page, '用户信息更新成功')

  await signIn()
  await page.goto('/token/add')
  await field(page, '名称').fill('limited')
  await field(page, '每分钟请求数').fill('1.5')
  await button('创建令牌').click()
  await expect(field(page, '每分钟请求数')).toBeFocused()
  await field(page, '每分钟请求数').fill('60')
  await field(page, '模型名称').fill(model)
  await page.keyboard.press('Enter')
  const own = page.getByRole('group', { name: model, exact: true })
  await field(own, '每分钟 token 数').fill('90000')
  await expectAccessible(page)
  await button('创建令牌').click()
  await expect(page.getByRole('row').filter({ hasText: 'limited' })).toContainText('60 次/分 · 单独限制部分模型')

  const [token] = (await api.call('GET', '/api/token/')).data
  await signInAs(admin)
  await page.goto(`/token/all?owner=${userId}`)
  await page.getByRole('button', { name: '令牌 limited 的更多操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '速率限制', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `${account.username} 的令牌 limited 的速率限制`, exact: true })
  await expect(dialog).toContainText(`所有者自己设置的限制：60 次/分 · ${model}：90.0k token/分。`)
  await field(dialog, '每分钟请求数').fill('50')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '保存限制', exact: true }).click()
  await toasted(page, '速率限制已保存')
  await expect(row(page, 'limited')).toContainText('50 次/分')
  await signIn()
  await page.goto(`/token/edit/${token.id}`)
  await expect(page.getByText('管理员设置的限制：50 次/分。您可以设置更严格的限制，但不能放宽。')).toBeVisible()
  await expect(field(page, '每分钟请求数').first()).toHaveValue('60')

  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect([answer.status, answer.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '49'])

  await page.goto('/setting')
  const use = page.getByRole('region', { name: '我的速率限制', exact: true })
  for (const title of ['账户', '分组 default', '令牌 limited', `令牌 limited · 模型 ${model}`])
    await expect(use.getByText(title, { exact: true })).toBeVisible()
  await expect(use).toContainText('0 / 4')
  await expect(use).toContainText(/\d+ \/ 90,000/)
  await expectAccessible(page)
  await page.goto(`/token/edit/${token.id}`)
  await expect(page.getByText(/^每分钟 token 数\d+ \/ 90,000$/)).toBeVisible()

  await root.setOption('GroupRateLimits', '{}')
  await upstream.stop()
})
