import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeUser } from '../testing/makers.ts'
import { IMAGINE, midjourneyFixture, UPSCALE } from '../testing/midjourney-fixture.ts'
import { keyOf, readded } from '../testing/relay-fixture.ts'
import { PICTURE } from '../testing/vendors/fake-midjourney.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

const DATA_URL = 'data:image/png;base64,AAAA'

test('an image is submitted, polled, charged once when it is done, and fetched through the gateway', async () => {
  const { submit, fetched, listed, vendor, account, onlyLog, charges, follow, app } = await midjourneyFixture()
  const before = await account()
  const { result: id, ...answer } = await submit('imagine', { prompt: 'A cat --ar 5:4', state: 'mine' })
  expect(answer).toEqual({ code: 1, description: '提交成功', properties: {} })
  expect(id).toMatch(/^\d{37}$/)
  expect(await account()).toMatchObject({ quota: before.quota, held: IMAGINE })
  expect((await fetched(id)).task).toMatchObject({
    ...{ id, action: 'IMAGINE', status: 'SUBMITTED', prompt: 'A cat --ar 5:4', state: 'mine', imageUrl: '' },
    progress: '0%',
  })

  vendor.becomes('IN_PROGRESS', { progress: '40%' })
  expect((await fetched(id)).task).toMatchObject({ status: 'IN_PROGRESS', progress: '40%' })
  expect(await charges()).toEqual([])

  vendor.becomes('SUCCESS', { buttons: [{ customId: 'MJ::JOB::upsample::1::3dbbd469', label: 'U1' }] })
  await follow()
  const { task } = await fetched(id)
  expect(task).toMatchObject({
    ...{ id, status: 'SUCCESS', progress: '100%', finishTime: 1_689_231_544_312, properties: { finalPrompt: 'Cat' } },
    buttons: [{ customId: 'MJ::JOB::upsample::1::3dbbd469', label: 'U1' }],
  })
  expect(JSON.stringify(task)).not.toContain('inside.example')
  expect(task.imageUrl).toStartWith(`${app.url}/mj/image/${id}?view=`)
  expect(await listed([id, '12345'])).toEqual([task])

  const picture = await fetch(task.imageUrl)
  expect(picture.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await picture.arrayBuffer()).equals(PICTURE)).toBe(true)

  expect(await account()).toMatchObject({ quota: before.quota - IMAGINE, held: 0, request_count: 1 })
  expect(await charges()).toMatchObject([{ ref: id, delta: -IMAGINE }])
  const log = await onlyLog()
  expect(log).toMatchObject({
    ...{
      type: 2,
      model_name: 'mj_imagine',
      quota: IMAGINE,
      prompt_tokens: 0,
      completion_tokens: 0,
      outcome: 'success',
    },
    content_en: expect.stringContaining('per task'),
    detail: {
      ...{ source: 'reported', usage: { tasks: 1 }, price: { source: 'library', rates: { tasks: '50000' } } },
      batch: { id, status: 'SUCCESS', requests: 1, answered: 1 },
    },
  })
  expect(readded(log.detail)).toBe(IMAGINE)
  expect(await app.audit()).toEqual([])
})

test('only fields of the protocol reach the server, and there are no callbacks', async () => {
  const { submit, vendor } = await midjourneyFixture()
  await submit('imagine', {
    ...{ prompt: 'Cat', botType: 'NIJI_JOURNEY', base64Array: [DATA_URL] },
    ...{ notifyHook: 'http://169.254.169.254/', accountFilter: { instanceId: 'best' }, model: 'gpt-4o' },
  })
  await submit('blend', { base64Array: [DATA_URL, DATA_URL], dimensions: 'SQUARE', notifyHook: 'http://x.example' })
  await submit('describe', { base64: DATA_URL, notifyHook: 'http://x.example' })
  await submit('shorten', { prompt: 'A very long cat', notifyHook: 'http://x.example' })
  expect(vendor.asked.map(({ path, body }) => [path, Object.keys(body ?? {}).sort()])).toEqual([
    ['/mj/submit/imagine', ['base64Array', 'botType', 'prompt', 'state']],
    ['/mj/submit/blend', ['base64Array', 'dimensions', 'state']],
    ['/mj/submit/describe', ['base64', 'state']],
    ['/mj/submit/shorten', ['prompt', 'state']],
  ])
  expect(vendor.asked.every(({ headers }) => headers.get('mj-api-secret') === 'k-mj')).toBe(true)
  expect(vendor.asked.some(({ headers }) => headers.has('authorization'))).toBe(false)
})

test('a follow-up goes to the channel that has its task, whichever is preferred by then, and has its own price', async () => {
  const { submit, fetched, vendor, channel, account, follow, logs, app } = await midjourneyFixture()
  const before = await account()
  const { result: cat } = await submit('imagine', { prompt: 'Cat' })
  expect(await submit('change', { taskId: cat, action: 'UPSCALE', index: 2 })).toMatchObject({
    ...{ code: 4, description: '关联任务状态错误', result: '' },
  })
  vendor.becomes('SUCCESS')
  await follow()
  await channel('mj_imagine,mj_upscale,mj_variation,mj_reroll', {
    ...{ type: 61, base_url: 'http://127.0.0.1:1', key: 'k-other', priority: 100 },
  })
  const changes: [string, object, string][] = [
    ['change', { taskId: cat, action: 'UPSCALE', index: 2 }, 'mj_upscale'],
    ['simple-change', { content: `${cat} V3` }, 'mj_variation'],
    ['change', { taskId: cat, action: 'REROLL' }, 'mj_reroll'],
    ['action', { taskId: cat, customId: 'MJ::JOB::upsample_v6_2x_subtle::1::3dbbd469' }, 'mj_upscale'],
  ]
  for (const [kind, body] of changes) {
    const { code, result } = await submit(kind, body)
    expect(code).toBe(1)
    vendor.becomes('SUCCESS')
    await follow()
    const { task } = await fetched(result)
    expect(task).toMatchObject({ id: result, status: 'SUCCESS' })
    if (kind !== 'action') expect(task.description).toStartWith(`/up ${cat} `)
  }
  expect((await logs()).map(({ model_name, quota }) => [model_name, quota])).toEqual([
    ['mj_upscale', 0],
    ['mj_imagine', IMAGINE],
    ['mj_upscale', UPSCALE],
    ['mj_variation', IMAGINE],
    ['mj_reroll', IMAGINE],
    ['mj_upscale', UPSCALE],
  ])
  expect(await account()).toMatchObject({ quota: before.quota - 3 * IMAGINE - 2 * UPSCALE, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('a repeated upscale returns the existing task, and is not charged again', async () => {
  const { submit, vendor, account, follow, charges, app } = await midjourneyFixture()
  const { result: cat } = await submit('imagine', { prompt: 'Cat' })
  vendor.becomes('SUCCESS')
  await follow()
  const upscale = { taskId: cat, action: 'UPSCALE', index: 1 }
  const { result: first } = await submit('change', upscale)
  vendor.becomes('SUCCESS')
  await follow()
  const paid = await account()
  const again = await submit('change', upscale)
  expect(again).toEqual({
    ...{ code: 21, description: 'The task exists already', result: first },
    properties: { status: 'SUCCESS', imageUrl: expect.stringContaining(`/mj/image/${first}?view=`) },
  })
  await follow()
  expect([await account(), (await charges()).length]).toEqual([paid, 2])
  expect(await app.audit()).toEqual([])
})

test('a button that opens a modal waits for its confirmation, which is charged', async () => {
  const { submit, fetched, vendor, account, follow, app } = await midjourneyFixture()
  const before = await account()
  const { result: cat } = await submit('imagine', { prompt: 'Cat' })
  vendor.becomes('SUCCESS')
  await follow()
  const opened = await submit('action', { taskId: cat, customId: 'MJ::Inpaint::1::3dbbd469::SOLO' })
  expect(opened).toMatchObject({ code: 21, description: 'Waiting for window confirm', properties: { remix: true } })
  expect((await fetched(opened.result)).task).toMatchObject({ status: 'MODAL', action: 'INPAINT' })
  const confirmed = await submit('modal', { taskId: opened.result, prompt: 'with a hat', maskBase64: DATA_URL })
  expect(confirmed).toMatchObject({ code: 1 })
  vendor.becomes('SUCCESS')
  await follow()
  for (const id of [opened.result, confirmed.result]) expect((await fetched(id)).task.status).toBe('SUCCESS')
  expect(await account()).toMatchObject({ quota: before.quota - 2 * IMAGINE, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('a variation that waits for a prompt is charged once, as a variation', async () => {
  const { submit, vendor, account, follow, logs, app } = await midjourneyFixture()
  const before = await account()
  const { result: cat } = await submit('imagine', { prompt: 'Cat' })
  vendor.becomes('SUCCESS')
  await follow()
  const opened = await submit('action', { taskId: cat, customId: 'MJ::JOB::variation::1::3dbbd469' })
  expect(await submit('modal', { taskId: opened.result, prompt: 'with a hat' })).toMatchObject({ code: 1 })
  expect((await account()).held).toBe(IMAGINE)
  vendor.becomes('SUCCESS')
  await follow()
  expect((await logs()).map(({ model_name, quota }) => [model_name, quota])).toEqual([
    ['mj_imagine', IMAGINE],
    ['mj_variation', IMAGINE],
    ['mj_modal', 0],
  ])
  expect(await account()).toMatchObject({ quota: before.quota - 2 * IMAGINE, held: 0 })
  expect(await app.audit()).toEqual([])
})

test("another user's task is not found: neither the task, nor its follow-ups, nor its image", async () => {
  const { app, submit, vendor, follow, callerOf, account, fetched } = await midjourneyFixture()
  const { result: id } = await submit('imagine', { prompt: 'Cat' })
  vendor.becomes('SUCCESS')
  await follow()
  const key = await keyOf((await makeUser(app, { quota: 100_000_000 })).client)
  const other = callerOf(key)
  const before = [vendor.asked.length, await account()]
  expect(await other.fetched(id)).toEqual({
    ...{
      status: 404,
      task: { code: 3, description: expect.stringContaining(`no task ${id}`), result: '', properties: {} },
    },
  })
  expect(await other.listed([id])).toEqual([])
  for (const [kind, body] of Object.entries({
    change: { taskId: id, action: 'UPSCALE', index: 1 },
    'simple-change': { content: `${id} U1` },
    action: { taskId: id, customId: 'MJ::JOB::upsample::1::3dbbd469' },
    modal: { taskId: id },
  }))
    expect(await other.submit(kind, body)).toMatchObject({ code: 3, description: expect.stringContaining(id) })
  const pictureOf = (query: string, headers = {}) => fetch(`${app.url}/mj/image/${id}${query}`, { headers })
  const { imageUrl } = (await fetched(id)).task
  const view = String(new URL(imageUrl).searchParams.get('view'))
  const answers = [
    await pictureOf('', { authorization: `Bearer ${key}` }),
    await pictureOf(`?view=${view.slice(1)}0`),
    await pictureOf('?view='),
    await pictureOf(''),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 401])
  expect([vendor.asked.length, await account()]).toEqual(before)
})

test('an image URL of the server is not fetched from our own network, nor shown as a page', async () => {
  const { submit, vendor, fetched, key, app } = await midjourneyFixture()
  const inside = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('secret') })
  for (const [imageUrl, status] of [
    [`http://127.0.0.1:${inside.port}/`, 502],
    ['http://169.254.169.254/latest', 502],
    ['file:///etc/passwd', 502],
    ['not an address', 502],
  ] as const) {
    const { result } = await submit('imagine', { prompt: 'Cat' })
    vendor.becomes('SUCCESS', { imageUrl })
    await fetched(result)
    const answer = await fetch(`${app.url}/mj/image/${result}`, { headers: { 'mj-api-secret': `Bearer ${key}` } })
    expect([imageUrl, answer.status]).toEqual([imageUrl, status])
    const text = await answer.text()
    expect(text).not.toContain('secret')
  }
  await inside.stop(true)
})

test('the speed in a path reaches the server', async () => {
  const { post, vendor, app, key } = await midjourneyFixture()
  const { result } = await (await post('/mj-turbo/mj/submit/imagine', { prompt: 'Cat' })).json()
  expect(vendor.asked.at(-1)?.path).toBe('/mj-turbo/mj/submit/imagine')
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${app.url}/mj-turbo/mj/task/${result}/fetch`, { headers })
  expect(await answer.json()).toMatchObject({ id: result, status: 'SUBMITTED' })
})

test('an invalid request is refused with a message in the protocol’s format, and nothing is held or sent', async () => {
  const { post, vendor, channel, account, app, key } = await midjourneyFixture()
  await channel('mj_pan', { type: 8, base_url: vendor.url, key: 'k' })
  const before = await account()
  const wishes: [string, object, number, number, string][] = [
    ['imagine', { prompt: ' ' }, 400, 4, 'prompt'],
    ['imagine', { prompt: 'Cat', base64Array: ['http://x.example/cat.png'] }, 400, 4, 'base64Array'],
    ['blend', { base64Array: [DATA_URL] }, 400, 4, 'base64Array'],
    ['describe', {}, 400, 4, 'base64'],
    ['change', { taskId: '1', action: 'EXPLODE', index: 1 }, 400, 4, 'action'],
    ['change', { taskId: '1', action: 'UPSCALE' }, 400, 4, 'index'],
    ['change', { taskId: '1', action: 'UPSCALE', index: 1 }, 404, 3, 'There is no task 1'],
    ['simple-change', { content: '1 U5' }, 400, 4, 'content'],
    ['action', { taskId: '1', customId: 'MJ::BOOKMARK::1' }, 400, 4, 'customId'],
    ['action', { taskId: '1', customId: 'MJ::JOB::low_variation::1::a' }, 404, 3, 'mj_low_variation'],
    ['action', { taskId: '1', customId: 'MJ::JOB::pan_left::1::a' }, 404, 3, 'There is no task 1'],
    ['modal', {}, 400, 4, 'taskId'],
    ['video', { prompt: 'Cat' }, 404, 3, '/mj/submit/video'],
  ]
  for (const [kind, body, status, code, sentence] of wishes) {
    const answer = await post(`/mj/submit/${kind}`, body)
    const said = await answer.json()
    expect([kind, answer.status, said.code, said.description]).toEqual([
      kind,
      status,
      code,
      expect.stringContaining(sentence),
    ])
  }
  const said = async (path: string, options: RequestInit) => {
    const answer = await fetch(app.url + path, options)
    return [answer.status, (await answer.json()).code]
  }
  const headers = { authorization: `Bearer ${key}` }
  expect(await said('/mj/submit/imagine', { headers })).toEqual([405, 4])
  expect(await said('/mj/submit/imagine', { method: 'POST', body: '{' })).toEqual([401, 9])
  expect(await said('/mj/submit/imagine', { method: 'POST', body: '{', headers })).toEqual([400, 4])
  expect(await said('/mj/nothing', { headers })).toEqual([404, 3])
  expect(await said('/mj/task/list-by-condition', { method: 'POST', body: '{"ids":"1"}', headers })).toEqual([400, 4])
  expect([await account(), vendor.asked]).toEqual([before, []])
})
