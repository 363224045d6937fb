import { expect, setDefaultTimeout, test } from 'bun:test'
import { DIALECT_STREAMS, ENGLISH } from '../../testing/dialect-streams.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { type RelayFixture, relayFixture } from '../../testing/relay-fixture.ts'
import { makeToken } from '../../testing/token-makers.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* A key or its owner is disabled while a call runs. Every token costs 1. */

const WORDS = 20
/** Each is four bytes, which count as one token. */
const WORD = ' sea'
const PROMPT = 6
const REPORTED = 8000

const frame = (fields: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`
const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const said = frame(choice({ content: WORD }))
const USAGE = { prompt_tokens: REPORTED, completion_tokens: WORDS, total_tokens: REPORTED + WORDS }
const END = `${frame(choice({}, 'stop'))}${frame({ choices: [], usage: USAGE })}data: [DONE]\n\n`

/** A vendor that says everything at once, and the end when it is told to. */
async function fixture(readOnSeconds = 0) {
  let end = () => {}
  const vendor = fakeVendor(() => {
    const body = new ReadableStream<string>({
      start(controller) {
        controller.enqueue(said.repeat(WORDS))
        end = () => {
          controller.enqueue(END)
          controller.close()
        }
      },
    })
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } })
  })
  const options = { ModelRatio: '{"m":1}', CompletionRatio: '{"m":1}', ReadOnSeconds: readOnSeconds, RetryTimes: 2 }
  const relay = await relayFixture({ options })
  await relay.channel('m', { base_url: vendor.url })
  const [{ id: tokenId }] = (await relay.payer.client.get('/api/token/')).data
  return { ...relay, vendor, tokenId: Number(tokenId), end: () => end() }
}

type Fixture = Awaited<ReturnType<typeof fixture>>

/** What a node does every two seconds. */
const look = ({ app }: Pick<RelayFixture, 'app'>) =>
  app.parts.jobs.find(({ name }) => name === 'revoked callers')?.run()

/** The stream, read until every word has arrived. */
async function listening(response: Response | undefined) {
  const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (text.split(WORD).length <= WORDS) text += (await reader?.read())?.value ?? ''
  return async () => {
    let rest = ''
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) rest += next.value
    return rest
  }
}

const REVOCATIONS: Record<string, { code: string; revoke(world: Fixture): Promise<unknown> }> = {
  'a banned owner': {
    code: 'relay_user_disabled',
    revoke: ({ root, payer }) => root.post('/api/user/manage', { username: payer.username, action: 'disable' }),
  },
  'a deleted owner': {
    code: 'relay_user_disabled',
    revoke: ({ root, payer }) => root.delete(`/api/user/${payer.id}`),
  },
  'an owner who deletes the account': {
    code: 'relay_user_disabled',
    revoke: ({ payer }) => payer.client.delete('/api/user/self'),
  },
  'a deleted key': {
    code: 'relay_bad_key',
    revoke: ({ payer, tokenId }) => payer.client.delete(`/api/token/${tokenId}`),
  },
  'a disabled key': {
    code: 'relay_key_disabled',
    revoke: ({ payer, tokenId }) => payer.client.put('/api/token/?status_only=1', { id: tokenId, status: 2 }),
  },
  'a key disabled by an administrator': {
    code: 'relay_key_blocked',
    revoke: ({ root, tokenId }) =>
      root.post('/api/token/manage', { id: tokenId, action: 'disable', reason: 'It was posted in public' }),
  },
}

test.each(Object.keys(REVOCATIONS))(
  'a running stream of %s ends with an error and costs what was delivered',
  async (who) => {
    const world = await fixture()
    const rest = await listening(await world.chat('m', { stream: true }, ENGLISH))
    await look(world)
    expect(await world.charges()).toEqual([])
    expect(await REVOCATIONS[who]?.revoke(world)).toMatchObject({ success: true })
    await look(world)
    const text = await rest()
    expect(text).toContain(`"code":"${REVOCATIONS[who]?.code}"`)
    expect(text).not.toContain('[DONE]')
    await world.atRest()
    expect(await world.charges()).toMatchObject([{ delta: -(PROMPT + WORDS) }])
    expect(await world.onlyLog()).toMatchObject({ outcome: 'access', detail: { flag: 'revoked' } })
    expect(await world.account()).toMatchObject({ held: 0 })
    expect(await world.app.audit()).toEqual([])
  },
)

test.each(Object.keys(DIALECT_STREAMS))('a stream of a banned user says so in the format of %s', async (dialect) => {
  const world = await fixture()
  const rest = await listening(await DIALECT_STREAMS[dialect]?.(world))
  await world.root.post('/api/user/manage', { username: world.payer.username, action: 'disable' })
  await look(world)
  const text = await rest()
  expect(text).toContain('This account is banned')
  expect(text).toMatch(/"(error|response\.failed)"/)
  await world.atRest()
  expect(await world.app.audit()).toEqual([])
})

test('deleting a key just before the usage is reported does not make the call cheaper', async () => {
  const world = await fixture(5)
  const rest = await listening(await world.chat('m', { stream: true }, ENGLISH))
  await world.payer.client.delete(`/api/token/${world.tokenId}`)
  await look(world)
  world.end()
  expect(await rest()).toContain('"code":"relay_bad_key"')
  await world.atRest()
  expect(await world.charges()).toMatchObject([{ delta: -(REPORTED + WORDS) }])
  expect(await world.app.audit()).toEqual([])
})

test('a call without an answer yet is refused, costs nothing, and no other channel is tried', async () => {
  const world = await fixture()
  await world.channel('slow', { model_mapping: '{"slow":"fault/hang"}' })
  await world.channel('slow', { priority: -1, model_mapping: '{"slow":"say/5"}' })
  const calling = world.chat('slow', {}, ENGLISH)
  await world.upstream.received(1)
  await world.root.post('/api/user/manage', { username: world.payer.username, action: 'disable' })
  await look(world)
  const response = await calling
  expect([response.status, (await response.json()).error.code]).toEqual([403, 'relay_user_disabled'])
  expect(world.upstream.journal).toHaveLength(1)
  expect(await world.onlyLog()).toMatchObject({ type: 6, quota: 0, outcome: 'access' })
  await world.atRest()
  expect(await world.app.audit()).toEqual([])
})

test('calls of other keys go on, and so do those of a key that expires or has used up its quota', async () => {
  const world = await fixture()
  const { key, id } = await makeToken(world.payer.client, { name: 'other', remain_quota: 60_000, expired_time: -1 })
  const running = await listening(await world.chat('m', { stream: true }, { ...ENGLISH, key: `sk-${key}` }))
  await world.payer.client.put('/api/token/', { id, name: 'other', expired_time: 1, remain_quota: 0 })
  await world.payer.client.delete(`/api/token/${world.tokenId}`)
  await look(world)
  world.end()
  expect(await running()).toContain('[DONE]')
  expect(await world.charges()).toMatchObject([{ delta: -(REPORTED + WORDS) }])
  expect(await world.app.audit()).toEqual([])
})
