import { expect, setDefaultTimeout, test } from 'bun:test'
import { EACH_TOKEN_COSTS_1, PROMPT, readUntil } from '../../testing/call-costs.ts'
import { PLAIN_AND_STREAM, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test.each(PLAIN_AND_STREAM)(
  'a client that disconnects before the provider sent anything pays nothing ($way) [R1.13]',
  async ({ stream }) => {
    const { app, upstream, channel, chat, charges, atRest, onlyLog } = await relayFixture({
      options: EACH_TOKEN_COSTS_1,
    })
    await channel('fault/hang')
    const client = new AbortController()
    const calling = chat('fault/hang', { stream }, { signal: client.signal }).catch(() => 'left')
    await upstream.received(1)
    client.abort()
    expect(await calling).toBe('left')
    await upstream.until(([exchange]) => exchange?.aborted === true)
    await atRest()
    expect(await charges()).toEqual([])
    expect(await onlyLog()).toMatchObject({ type: 6, quota: 0 })
    expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  },
)

test('a client that disconnects after the first event and before any content pays the prompt [R1.13]', async () => {
  const { upstream, channel, chat, charges, atRest, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/stall-first')
  const client = new AbortController()
  const response = await chat('fault/stall-first', { stream: true }, { signal: client.signal })
  await response.body?.getReader().read()
  client.abort()
  await upstream.until(([exchange]) => exchange?.aborted === true)
  await atRest()
  expect(await charges()).toMatchObject([{ kind: 'consume', delta: -PROMPT }])
  expect(await onlyLog()).toMatchObject({ type: 2, quota: PROMPT, detail: { flag: 'client_abort' } })
})

test('a client that disconnects in mid-stream pays the prompt and what was readUntil, and the upstream is aborted [R1.13]', async () => {
  const { app, upstream, channel, chat, charges, atRest, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/stall-mid')
  const client = new AbortController()
  const response = await chat('fault/stall-mid', { stream: true }, { signal: client.signal })
  expect(await readUntil(response, ' goes')).toContain('The')
  client.abort()
  await upstream.until(([exchange]) => exchange?.aborted === true)
  await atRest()
  expect(await charges()).toMatchObject([{ kind: 'consume', delta: -(PROMPT + 3) }])
  expect(await onlyLog()).toMatchObject({
    ...{ type: 2, quota: PROMPT + 3 },
    detail: { flag: 'client_abort', source: 'estimated' },
  })
  expect(await app.audit()).toEqual([])
})

test('a client that disconnects before the answer begins leaves no hold and no active call behind', async () => {
  const { app, channel, chat, atRest, upstream } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/stall-mid')
  for (let turn = 0; turn < 10; turn++) {
    const client = new AbortController()
    const calling = chat('fault/stall-mid', { stream: true }, { signal: client.signal }).catch(() => undefined)
    if (turn % 2 === 0) await upstream.received(upstream.journal.length + 1)
    client.abort()
    await calling
  }
  await atRest()
  await upstream.until((journal) => journal.every(({ aborted }) => aborted))
  expect(await app.audit()).toEqual([])
})
