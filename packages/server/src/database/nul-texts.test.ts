import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { makeDestination } from '../testing/alert-fixture.ts'
import { testApp } from '../testing/app.ts'
import { batchFixture, refusedBy } from '../testing/batch-fixture.ts'
import { asRoot } from '../testing/makers.ts'
import { midjourneyFixture } from '../testing/midjourney-fixture.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/** A server that answers everything alike. */
const answering = (answer: () => Response) => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  onTestFinished(() => server.stop(true))
  return `http://127.0.0.1:${server.port}`
}

const NOUNS = ['files', 'batches', 'videos', 'messages/batches', 'responses']

test('an id with a NUL is an unknown one', async () => {
  const { app, key } = await batchFixture()
  const status = async (path: string, init: RequestInit = {}) =>
    (await fetch(app.url + path, { ...init, headers: { authorization: `Bearer ${key}` } })).status
  for (const noun of NOUNS) {
    expect([noun, await status(`/v1/${noun}/a%00b`)]).toEqual([noun, 404])
    expect([noun, await status(`/v1/${noun}/a%00b`, { method: noun === 'batches' ? 'GET' : 'DELETE' })]).toEqual([
      noun,
      404,
    ])
  }
  for (const list of [
    'files?after=',
    'files?purpose=',
    'batches?after=',
    'videos?after=',
    'messages/batches?after_id=',
  ])
    expect([list, await status(`/v1/${list}%00`)]).toEqual([list, 200])
  const body = JSON.stringify({ input_file_id: '\0', endpoint: '/v1/chat/completions', completion_window: '24h' })
  expect(await status('/v1/batches', { method: 'POST', body })).toBe(404)
  expect(await status('/mj/task/list-by-condition', { method: 'POST', body: JSON.stringify({ ids: ['\0'] }) })).toBe(
    200,
  )
})

test('a vendor whose refusal has a NUL is tested, disabled and logged like any other', async () => {
  const { root, channel, chat, atRest, logs, app } = await relayFixture({
    options: { AutomaticDisableChannelEnabled: true, RetryTimes: 0 },
  })
  const error = { message: 'Incorrect API key \0 provided', type: 'invalid_request_error', code: 'invalid_api_key' }
  const { id } = await channel('m', { type: 1, base_url: answering(() => Response.json({ error }, { status: 401 })) })
  expect(await root.get(`/api/channel/test/${id}`)).toMatchObject({ status: 200, success: false })
  await root.put('/api/channel/', { id, status: 1 })
  expect((await chat('m')).status).toBe(502)
  await atRest()
  expect(await logs()).toMatchObject([{ type: 6, quota: 0 }])
  const isDisabled = async () => (await root.get(`/api/channel/${id}`)).data.status === 3
  const deadline = Date.now() + 10_000
  while (!(await isDisabled()) && Date.now() < deadline) await Bun.sleep(20)
  expect(await isDisabled()).toBe(true)
  expect(await app.audit()).toEqual([])
})

test('work that a vendor refuses with a NUL is settled at once, and nothing stays held', async () => {
  const batches = await batchFixture()
  batches.vendor.breaks(() => Response.json({ error: { message: 'Not \0 this' } }, { status: 400 }))
  expect(await refusedBy(batches.begin())).toMatchObject({ status: 400 })
  expect([await batches.openHolds(), await batches.app.audit()]).toEqual([[], []])

  const images = await midjourneyFixture()
  images.vendor.answers(() => Response.json({ code: 24, description: `banned: \0${'x'.repeat(10_000)}` }))
  expect(await images.submit('imagine', { prompt: '\0' })).toMatchObject({ code: 24 })
  expect([await images.openHolds(), (await images.account()).held]).toEqual([[], 0])
  expect((await images.onlyLog()).content_en.length).toBeLessThan(600)
  images.vendor.answers(undefined)
  await images.submit('imagine', { prompt: '\0', state: '\0' })
  images.vendor.becomes('FAILURE', { failReason: 'a\0b' })
  await images.follow()
  expect([await images.openHolds(), await images.app.audit()]).toEqual([[], []])
})

test('a service for alerts that answers with a NUL is reported as it answered', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const address = `${answering(() => Response.json({ errcode: 5, errmsg: 'a\0b' }))}/x`
  const id = await makeDestination(root, { way: 'dingtalk', address, language: 'en' })
  expect(await root.post(`/api/alert/destination/test/${id}`)).toMatchObject({ status: 200, data: { sent: false } })
})
