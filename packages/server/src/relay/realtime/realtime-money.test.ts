import { expect, test } from 'bun:test'
import { callRealtime, type RealtimeVendor, realtimeFixture, responding, USED } from '../../testing/realtime-fixture.ts'

test('a caller sees that a response is done only after its cost is written', async () => {
  const { relay } = await realtimeFixture()
  const caller = await callRealtime(relay)
  for (let turn = 1; turn <= 3; turn++) {
    caller.send({ type: 'response.create' })
    await caller.next('response.done')
    expect(await relay.app.db.selectFrom('holds').select('progress').execute()).toEqual([{ progress: turn * 50 }])
  }
  caller.socket.close(1000)
  await relay.atRest()
})

test('the hold grows with the conversation', async () => {
  const { relay } = await realtimeFixture(responding, { options: { PreConsumedQuota: 60 } })
  const caller = await callRealtime(relay)
  const held = async () => (await relay.account()).held
  expect(await held()).toBe(60)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  while ((await held()) < 110) await Bun.sleep(1)
  // What would be charged after a crash.
  const { progress } = await relay.app.db.selectFrom('holds').select('progress').executeTakeFirstOrThrow()
  expect(progress).toBe(50)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  while ((await held()) < 160) await Bun.sleep(1)
  caller.socket.close(1000)
  await relay.atRest()
  expect(await relay.account()).toMatchObject({ held: 0, used_quota: 100 })
})

test('a balance that is used up ends the conversation with an error event, settled to what was used', async () => {
  const { vendor, relay } = await realtimeFixture(responding, { quota: 130, options: { PreConsumedQuota: 60 } })
  const caller = await callRealtime(relay)
  for (let turn = 0; turn < 3; turn++) caller.send({ type: 'response.create' })
  const { error } = await caller.next('error')
  expect(error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' })
  expect(await caller.closed).toBe(1008)
  // The last event arrived after the settlement.
  const { used_quota, quota, held } = await relay.account()
  expect(used_quota % 50).toBe(0)
  expect(quota).toBe(130 - used_quota)
  expect(held).toBe(0)
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'quota_end' })
  expect(await vendor.exchanges[0]?.closed).toBeNumber()
  expect(await relay.app.audit()).toEqual([])
})

test('a response that does not end is metered while it is streamed, and ends with the balance', async () => {
  const { relay } = await realtimeFixture(
    {
      answer(_, voice) {
        const delta = 'word '.repeat(240)
        for (let at = 0; at < 20; at++) voice.event({ type: 'response.output_text.delta', delta })
      },
    },
    { quota: 1000, options: { PreConsumedQuota: 100 } },
  )
  const caller = await callRealtime(relay)
  caller.send({ type: 'response.create' })
  expect((await caller.next('error')).error).toMatchObject({ code: 'insufficient_quota' })
  expect(await caller.closed).toBe(1008)
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'quota_end', source: 'estimated' })
  expect((await relay.account()).held).toBe(0)
  expect(await relay.app.audit()).toEqual([])
})

test('a caller that is killed in the middle pays for what was reported and what was in progress', async () => {
  const { vendor, relay } = await realtimeFixture({
    answer(event, voice) {
      if (event.type === 'response.create') voice.respond(USED)
      else voice.event({ type: 'response.output_text.delta', delta: 'eight by' })
    },
  })
  const caller = await callRealtime(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.send({ type: 'x' })
  await caller.next('response.output_text.delta')
  caller.socket.terminate()
  await relay.atRest()
  await vendor.exchanges[0]?.closed
  const { quota, detail } = await relay.onlyLog()
  expect(detail).toMatchObject({ flag: 'client_abort', source: 'estimated' })
  expect(quota).toBeGreaterThan(52)
  expect(quota).toBeLessThan(90)
  expect(await relay.app.audit()).toEqual([])
})

test.each([
  ['negative', { ...USED, input_tokens: -5 }],
  ['gigantic', { ...USED, input_tokens: 90_000_000, input_token_details: {} }],
])('a %s report is not accepted: that response is counted', async (_, usage) => {
  const { relay } = await realtimeFixture({ answer: (__, voice) => voice.respond(usage, 40) })
  const caller = await callRealtime(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.socket.close(1000)
  await relay.atRest()
  const { quota, detail } = await relay.onlyLog()
  expect(detail.source).toBe('usage_anomaly')
  expect(quota).toBeGreaterThan(40)
  expect(quota).toBeLessThan(100)
})

test('a long conversation is charged as reported, although its responses together have read more than any single one could', async () => {
  const long = { ...USED, input_tokens: 700_000, input_token_details: {} }
  const answer: RealtimeVendor['answer'] = (_, voice) => voice.respond(long, 40)
  const { relay } = await realtimeFixture({ answer }, { quota: 10_000_000 })
  const caller = await callRealtime(relay)
  for (let turn = 0; turn < 4; turn++) {
    caller.send({ type: 'response.create' })
    await caller.next('response.done')
  }
  caller.socket.close(1000)
  await relay.atRest()
  const { quota, prompt_tokens, detail } = await relay.onlyLog()
  expect(detail.source).toBe('reported')
  expect(prompt_tokens).toBe(2_800_000)
  expect(quota).toBe(4 * (700_000 + USED.output_tokens))
})

test('transcribing the caller’s speech is charged at the price of the transcribing model', async () => {
  const session = { audio: { input: { transcription: { model: 'scribe' } } } }
  const usage = { type: 'tokens', total_tokens: 22, input_tokens: 13, output_tokens: 9, input_token_details: {} }
  const transcript = 'conversation.item.input_audio_transcription.completed'
  const { relay } = await realtimeFixture(
    {
      answer(_, voice) {
        voice.event({ type: 'session.updated', session })
        voice.event({ type: transcript, item_id: 'i', transcript: 'hello', usage })
      },
    },
    { options: { ModelRatio: '{"rt":1,"scribe":3}' } },
  )
  const caller = await callRealtime(relay)
  caller.send({ type: 'session.update', session })
  await caller.next(transcript)
  caller.socket.close(1000)
  await relay.atRest()
  const { quota, detail } = await relay.onlyLog()
  expect(quota).toBe(66)
  expect(detail.beside).toBe(66)
})

test('an incremental transcript of the caller’s speech is not taken for an answer', async () => {
  const said = 'conversation.item.input_audio_transcription'
  const usage = { type: 'duration', seconds: 2.5 }
  const { relay } = await realtimeFixture({
    answer(_, voice) {
      voice.event({ type: `${said}.delta`, item_id: 'i', delta: 'a very long story '.repeat(100) })
      voice.event({ type: `${said}.completed`, item_id: 'i', transcript: 'a very long story', usage })
    },
  })
  const caller = await callRealtime(relay)
  caller.send({ type: 'input_audio_buffer.commit' })
  await caller.next(`${said}.completed`)
  caller.socket.close(1000)
  await relay.atRest()
  const { quota, detail } = await relay.onlyLog()
  // A tenth of a second is a token, at the price of the conversation, since no other model was named.
  expect(quota).toBe(25)
  expect(detail).toMatchObject({ source: 'reported', beside: 25 })
})
