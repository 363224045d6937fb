import { unique } from './support/api.ts'
import { chooseType, openForm, sending, submit } from './support/channel-form.ts'
import { idOf } from './support/channels.ts'
import { arrived, expectStored, field } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

test('a channel is created with the models of its type [R2.12 R5.33 R7.41 R7.49 R7.50 R8.26]', async ({ page }) => {
  const name = unique('made-')
  await openForm(page)
  await chooseType(page, 'DeepSeek')
  await field(page, '名称').fill(name)
  await field(page, '密钥').fill('sk-deep')
  await expect(page.getByRole('list', { name: '已选的模型', exact: true })).toContainText('deepseek-v4-pro')
  const body = sending(page, 'POST')
  await submit(page)
  expect(await body).toMatchObject({ type: 36, name, key: 'sk-deep', group: 'default' })
  await toasted(page, '渠道创建成功')
  await expect(page).toHaveURL(/\/channel$/)
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
  await expectStored(page, 'channel_models').toMatch(/"36":[^\]]*"deepseek-v4-pro"/)
})

test('a type that is chosen before the model lists have loaded gets its models when they arrive', async ({ page }) => {
  let send = () => {}
  const asked = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route('**/api/models', async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/channel/add')
  await chooseType(page, 'DeepSeek')
  await expect(page.getByText('还没有选择模型')).toBeVisible()
  send()
  await expect(page.getByRole('list', { name: '已选的模型', exact: true })).toContainText('deepseek-v4-pro')
})

test('name, key and a model are required, and the first gap gets the cursor [R5.28 R5.29]', async ({ page }) => {
  await openForm(page)
  await submit(page)
  await expect(page.getByText('请填写渠道名称和渠道密钥')).toHaveCount(2)
  await expect(page.getByText('请至少选择一个模型')).toBeVisible()
  await expect(field(page, '名称')).toBeFocused()
  await field(page, '名称').fill('x')
  await field(page, '密钥').fill('sk')
  await submit(page)
  await expect(page.getByText('请填写渠道名称和渠道密钥')).toHaveCount(0)
  await expect(page.getByText('请至少选择一个模型')).toBeVisible()
  await chooseType(page, 'Proxy')
  await expect(page.getByText('不需要选择模型')).toBeVisible()
})

test('groups are chosen, added and required [R5.33 R7.24]', async ({ page }) => {
  await openForm(page)
  const groups = page.getByRole('combobox', { name: '分组', exact: true })
  await groups.click()
  await page.getByRole('option', { name: 'svip', exact: true }).click()
  await groups.fill('partners')
  await groups.press('Enter')
  for (const name of ['default', 'svip', 'partners']) await expect(page.getByText(name, { exact: true })).toBeVisible()
  for (let left = 3; left > 0; left -= 1) await groups.press('Backspace')
  await submit(page)
  await expect(page.getByText('请至少选择一个分组')).toBeVisible()
})

test('one key per line makes one channel per line [R3.10]', async ({ page }) => {
  const name = unique('lines-')
  await openForm(page)
  await field(page, '名称').fill(name)
  await field(page, '密钥').fill('sk-a\nsk-b\n\nsk-c')
  await expect(field(page, '每个密钥一个渠道，创建 3 个渠道')).toBeChecked()
  await page.getByRole('button', { name: /填入相关模型/ }).click()
  await submit(page)
  await toasted(page, '渠道创建成功')
  await page.goto(`/channel?keyword=${name}`)
  await expect(page.getByText('共 3 个渠道，已启用 3 个')).toBeVisible()
})

test('a trailing slash of the address is removed, priority and weight are under More [R5.31 R5.34]', async ({
  page,
}) => {
  const upstream = await startUpstream()
  await openForm(page)
  await field(page, '名称').fill(unique('slash-'))
  await field(page, '密钥').fill('sk')
  await page.getByRole('button', { name: /填入相关模型/ }).click()
  await field(page, 'Base URL').fill('https://proxy.example.com/#')
  await submit(page)
  await expect(page.getByText('地址必须是 http 或 https 网址，不能带账号密码、? 或 #')).toBeVisible()
  await field(page, 'Base URL').fill(`${upstream.url}/`)
  await page.getByText('更多选项').click()
  await field(page, '优先级').fill('7')
  await field(page, '权重').fill('3')
  await field(page, '系统提示词').fill('Be brief.')
  const body = sending(page, 'POST')
  await submit(page)
  expect(await body).toMatchObject({
    base_url: upstream.url,
    priority: 7,
    weight: 3,
    system_prompt: 'Be brief.',
  })
  await toasted(page, '渠道创建成功')
  await upstream.stop()
})

test('an edit starts from what is stored and keeps the key [R2.13 R3.08 R7.40 R8.27]', async ({ page, root }) => {
  const name = unique('edited-')
  const made = { name, key: 'sk-0123456789abcd', models: 'gpt-4o,gpt-4o-mini', group: 'default,vip' }
  await root.makeChannel(made)
  const id = await idOf(root, name)
  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: `编辑渠道 ${name}`, exact: true }).click()
  await arrived(page, '编辑渠道')
  await expect(field(page, '名称')).toHaveValue(name)
  const key = field(page, '密钥')
  await expect(key).toHaveValue('')
  await expect(key).toHaveAttribute('placeholder', '留空则保留 …abcd')
  await expect(page.getByText('已选 2 个')).toBeVisible()
  await field(page, '名称').fill(`${name}-2`)
  // Somebody else renames it meanwhile: saving says so, and saving again overwrites it.
  await root.call('PUT', '/api/channel/', { id, name: `${name}-3`, weight: 5 })
  const body = sending(page, 'PUT')
  await submit(page)
  expect(await body).toEqual({ id, name: `${name}-2`, base: { name } })
  await expect(page.getByText(`有人修改了名称（现在是 ${name}-3）`)).toBeVisible()
  await expect(field(page, '名称')).toHaveValue(`${name}-2`)
  await submit(page)
  await toasted(page, '渠道更新成功')
  const { data } = await root.call('GET', `/api/channel/${id}`)
  expect(data).toMatchObject({ name: `${name}-2`, weight: 5 })
  // The list is restored as it was left.
  await expect(page).toHaveURL(new RegExp(`/channel\\?keyword=${name}$`))
})

test('a new host, type or region needs the key again [R3.09]', async ({ page, root }) => {
  const name = unique('moved-')
  const upstream = await startUpstream()
  await root.makeChannel({ name, base_url: 'https://a.example.com' })
  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: `编辑渠道 ${name}`, exact: true }).click()
  await arrived(page, '编辑渠道')
  const notice = page.getByRole('status').filter({ hasText: '请重新填写密钥' })
  await field(page, 'Base URL').fill('https://a.example.com/v1')
  await expect(notice).toHaveCount(0)
  await field(page, 'Base URL').fill(upstream.url)
  await expect(notice).toBeVisible()
  await submit(page)
  const key = field(page, '密钥')
  await expect(key).toBeFocused()
  // The message is in sight, and not behind the bar with the buttons.
  const message = await page.getByText('请重新填写密钥', { exact: true }).last().boundingBox()
  const save = await page.getByRole('button', { name: '保存渠道', exact: true }).boundingBox()
  expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThan(save?.y ?? 0)
  await key.fill('sk-new')
  await submit(page)
  await toasted(page, '渠道更新成功')
  await upstream.stop()

  const aws = unique('region-')
  const config = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"shh"}'
  await root.makeChannel({ name: aws, type: 33, key: '', config })
  await page.goto(`/channel?keyword=${aws}`)
  await page.getByRole('button', { name: `编辑渠道 ${aws}`, exact: true }).click()
  await expect(field(page, '区域')).toHaveValue('us-east-1')
  await expect(notice).toHaveCount(0)
  await field(page, '区域').fill('eu-west-1')
  await expect(notice).toBeVisible()
  await submit(page)
  await expect(field(page, 'AK')).toBeFocused()
  await field(page, 'AK').fill('AKIAEXAMPLE67890')
  await field(page, 'SK').fill('shh')
  await field(page, '区域').fill('x.evil.example:443/')
  await submit(page)
  await expect(page.getByText('区域的格式不正确，例如 us-east-1', { exact: true })).toBeVisible()
  await field(page, '区域').fill('eu-west-1')
  await submit(page)
  await expect(page).toHaveURL(new RegExp(`/channel\\?keyword=${aws}$`))
})

test('unsaved changes are not discarded without a confirmation', async ({ page }) => {
  await openForm(page)
  await field(page, '名称').fill('half done')
  await page.getByRole('link', { name: '令牌', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: '放弃未保存的修改？', exact: true })
  await dialog.getByRole('button', { name: '继续编辑', exact: true }).click()
  await expect(field(page, '名称')).toHaveValue('half done')
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await dialog.getByRole('button', { name: '放弃修改', exact: true }).click()
  await expect(page).toHaveURL(/\/channel$/)
})

test('opening the forms makes at most three calls', async ({ page, root }) => {
  const name = unique('calls-')
  await root.makeChannel({ name })
  const { data } = await root.call('GET', `/api/channel/search?keyword=${name}`)
  for (const path of ['/channel/add', `/channel/edit/${data[0].id}`]) {
    const calls: string[] = []
    const count = (request: { url: () => string }) =>
      void (request.url().includes('/api/') && calls.push(request.url()))
    page.on('request', count)
    await page.goto(path)
    await expect(field(page, '名称')).toBeVisible()
    await page.waitForLoadState('networkidle')
    page.off('request', count)
    expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(3)
  }
})

test('headers, body fields, a time-out and a proxy are set, shown without secrets, and kept', async ({ page }) => {
  const name = unique('own-')
  await openForm(page)
  await chooseType(page, 'DeepSeek')
  await field(page, '名称').fill(name)
  await field(page, '密钥').fill('sk-deep')
  await page.getByText('更多选项').click()
  const headers = page.getByRole('group', { name: '请求头', exact: true })
  await headers.getByRole('button', { name: '添加一行', exact: true }).click()
  await field(headers, '请求头名称').fill('Authorization')
  await field(headers, '值').fill('team-secret')
  const body = page.getByRole('group', { name: '请求体', exact: true })
  await body.getByRole('button', { name: '添加一行', exact: true }).click()
  await field(body, '路径').fill('metadata.team')
  await field(body, 'JSON 值').fill('"red"')
  await expect(field(page, '修改后')).toHaveValue(/"metadata": \{\s+"team": "red"\s+\}/)
  await field(page, '首字节超时').fill('30')
  await field(page, '网络代理').fill('http://127.0.0.1:3128/path')
  await submit(page)
  await expect(page.getByText('请求头 Authorization 由网关设置，不能修改')).toBeVisible()
  await expect(page.getByText('代理地址应为 http://')).toBeVisible()
  await field(headers, '请求头名称').fill('X-Team')
  // Nothing listens on this port.
  await field(page, '网络代理').fill('http://127.0.0.1:9')
  await field(page, '代理用户名').fill('bob')
  const sent = sending(page, 'POST')
  await submit(page)
  const warning = page.getByRole('dialog', { name: '仍要保存？', exact: true })
  await expect(warning).toContainText('现在连接不上代理 http://127.0.0.1:9')
  await warning.getByRole('button', { name: '仍要保存', exact: true }).click()
  expect(JSON.parse((await sent).config)).toEqual({
    header_rules: [{ name: 'X-Team', action: 'set', value: 'team-secret' }],
    body_rules: [{ path: 'metadata.team', action: 'set', value: '"red"' }],
    first_byte_timeout: 30,
    proxy: 'http://127.0.0.1:9',
    proxy_user: 'bob',
  })
  await toasted(page, '渠道创建成功')
  await page.getByRole('button', { name: `编辑渠道 ${name}`, exact: true }).click()
  await arrived(page, '编辑渠道')
  await expect(field(headers, '请求头名称')).toHaveValue('X-Team')
  await expect(field(headers, '值')).toHaveAttribute('placeholder', '留空则保留')
  await expect(field(page, '网络代理')).toHaveValue('http://127.0.0.1:9')
  await expect(field(page, '代理用户名')).toHaveValue('')
  await field(page, '网络代理').fill('socks5://127.0.0.1:1080')
  await submit(page)
  await expect(page.getByText('请重新填写密钥').first()).toBeVisible()
})
