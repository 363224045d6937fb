import { expect, test } from 'bun:test'
import { callRealtime, realtimeFixture, USED } from '../../testing/realtime-fixture.ts'

test('an interrupted vendor becomes an error event, and only what it delivered is charged', async () => {
  const { relay } = await realtimeFixture({
    answer(event, voice) {
      if (event.type === 'response.create') voice.respond(USED)
      else voice.cut()
    },
  })
  const caller = await callRealtime(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.send({ type: 'x' })
  expect((await caller.next('error')).error).toMatchObject({ message: expect.stringContaining('broke off') })
  expect(await caller.closed).toBe(1011)
  expect(await relay.account()).toMatchObject({ used_quota: 50, held: 0 })
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'partial', source: 'reported' })
})

test('a vendor that breaks off before sending anything is a failed call', async () => {
  const { relay } = await realtimeFixture({ answer: (_, voice) => voice.cut() })
  const caller = await callRealtime(relay)
  caller.send({ type: 'response.create' })
  await caller.next('error')
  expect(await relay.account()).toMatchObject({ used_quota: 0, held: 0, request_count: 0 })
  expect((await relay.onlyLog()).type).toBe(6)
})

test('a vendor’s error event is passed to the caller, and the conversation continues', async () => {
  const { relay } = await realtimeFixture({
    answer(event, voice) {
      if (event.type === 'response.create') voice.respond(USED)
      else voice.event({ type: 'error', error: { type: 'invalid_request_error', code: 'x', message: 'Unknown event' } })
    },
  })
  const caller = await callRealtime(relay)
  caller.send({ type: 'nonsense' })
  expect((await caller.next('error')).error).toMatchObject({ message: 'Unknown event' })
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.socket.close(1000)
  await relay.atRest()
  expect((await relay.account()).used_quota).toBe(50)
})

test('a vendor that closes the session normally closes it for the caller', async () => {
  const { relay } = await realtimeFixture({
    answer(_, voice) {
      voice.respond(USED)
      voice.close(1000)
    },
  })
  const caller = await callRealtime(relay)
  caller.send({ type: 'response.create' })
  expect(await caller.closed).toBe(1000)
  expect(await relay.account()).toMatchObject({ used_quota: 50, held: 0 })
})

test.each([
  ['a silence of a quarter of an hour', 16 * 60],
  ['more than an hour', 66 * 60],
])('%s ends the conversation', async (_, seconds) => {
  const { relay } = await realtimeFixture()
  const caller = await callRealtime(relay)
  await caller.next('session.created')
  relay.app.clock.pass(seconds)
  relay.app.parts.watchdog.check()
  expect((await caller.next('error')).error).toMatchObject({ type: 'upstream_error' })
  expect(await caller.closed).toBe(1001)
  await relay.atRest()
})

test('a server that stops ends the conversation and settles it', async () => {
  const { relay } = await realtimeFixture()
  const caller = await callRealtime(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  relay.app.parts.watchdog.endAll()
  expect((await caller.next('error')).error).toMatchObject({
    code: 'relay_restarting',
    message: expect.stringContaining('The gateway is restarting'),
  })
  expect(await caller.closed).toBe(1012)
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'restart' })
  expect(await relay.account()).toMatchObject({ used_quota: 50, held: 0 })
  expect(await relay.app.audit()).toEqual([])
})

test('a conversation of a banned user ends and is settled', async () => {
  const { relay } = await realtimeFixture()
  const caller = await callRealtime(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  await relay.root.post('/api/user/manage', { username: relay.payer.username, action: 'disable' })
  await relay.app.parts.jobs.find(({ name }) => name === 'revoked callers')?.run()
  expect((await caller.next('error')).error).toMatchObject({ code: 'relay_user_disabled' })
  expect(await caller.closed).toBe(1008)
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'revoked' })
  expect(await relay.account()).toMatchObject({ used_quota: 50, held: 0 })
  expect(await relay.app.audit()).toEqual([])
})
