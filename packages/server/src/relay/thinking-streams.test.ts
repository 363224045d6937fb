import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { MESSAGES, type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/* A vendor that has begun to answer may think again, or run a tool, for minutes and without a word. */

const SURFACES = {
  chat: { path: '/v1/chat/completions', body: { messages: MESSAGES }, alive: /^: keep-alive$/gm },
  responses: { path: '/v1/responses', body: { input: 'Hello there' }, alive: /^: keep-alive$/gm },
  messages: { path: '/v1/messages', body: { messages: MESSAGES, max_tokens: 20 }, alive: /^event: ping$/gm },
  gemini: { path: '/v1beta/models', body: { contents: [{ parts: [{ text: 'Hello there' }] }] }, alive: undefined },
}
type Surface = keyof typeof SURFACES

const frame = (event: Record<string, unknown>) =>
  `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`

const chunk = (delta: object, more: object = {}) =>
  frame({
    ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: null }],
    ...more,
  })
const block = (index: number, text: string) =>
  frame({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
const opened = (index: number) =>
  frame({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
const item = (type: 'added' | 'done', output_index: number, fields: object) =>
  frame({ type: `response.output_item.${type}`, output_index, item: { id: `i${output_index}`, ...fields } })
const spoken = (output_index: number, delta: string) =>
  frame({ type: 'response.output_text.delta', output_index, content_index: 0, item_id: `i${output_index}`, delta })
const message = (text: string) => ({
  ...{ type: 'message', role: 'assistant', status: 'completed' },
  content: text === '' ? [] : [{ type: 'output_text', text, annotations: [] }],
})
const REASONING = { type: 'reasoning', summary: [] }
const RESPONSE = { id: 'r', object: 'response', created_at: 1, model: 'm', output: [] }

/** The events before the silence, with the last output there is, and those after it. */
const VENDORS = {
  'a chat that has only begun': {
    ...{ type: 8, before: chunk({ role: 'assistant', content: '' }) },
    after:
      chunk({ content: 'Well then' }) +
      chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
      frame({ id: 'c', choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } }) +
      'data: [DONE]\n\n',
  },
  'a message whose next block has begun': {
    type: 14,
    before:
      frame({
        type: 'message_start',
        message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 5, output_tokens: 1 } },
      }) +
      opened(0) +
      block(0, 'Well ') +
      frame({ type: 'content_block_stop', index: 0 }) +
      opened(1),
    after:
      block(1, 'then') +
      frame({ type: 'content_block_stop', index: 1 }) +
      frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }) +
      frame({ type: 'message_stop' }),
  },
  'a response that reasons after its first words': {
    type: 1,
    before:
      frame({ type: 'response.created', response: { ...RESPONSE, status: 'in_progress' } }) +
      item('added', 0, message('')) +
      spoken(0, 'Well ') +
      item('done', 0, message('Well ')) +
      item('added', 1, REASONING),
    after:
      item('done', 1, REASONING) +
      item('added', 2, message('')) +
      spoken(2, 'then') +
      item('done', 2, message('then')) +
      frame({
        type: 'response.completed',
        response: {
          ...{ ...RESPONSE, status: 'completed', output: [message('Well '), REASONING, message('then')] },
          usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
        },
      }),
  },
}
type Vendor = keyof typeof VENDORS

const UNKNOWN = { error: { message: 'Unknown request URL: POST /v1/responses', code: 'unknown_url' } }

/** A model that OpenAI has in Responses alone, so that every caller's call goes there. */
const MODEL = 'gpt-5-pro'

/** A call to a vendor that has sent what comes before its silence. */
async function silentStream(fixture: RelayFixture, surface: Surface, kind: Vendor) {
  const { type, before, after } = VENDORS[kind]
  const sent = Promise.withResolvers<ReadableStreamDefaultController<string>>()
  const vendor = fakeVendor(({ path }) => {
    if (type === 8 && path.endsWith('/responses')) return Response.json(UNKNOWN, { status: 404 })
    const events = new ReadableStream<string>({
      start(controller) {
        controller.enqueue(before)
        sent.resolve(controller)
      },
    })
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(events.pipeThrough(new TextEncoderStream()), { headers })
  })
  await fixture.channel(MODEL, { type, base_url: vendor.url, key: 'k' })
  const { path, body } = SURFACES[surface]
  const answering = fixture.post(surface === 'gemini' ? `${path}/${MODEL}:streamGenerateContent?alt=sse` : path, {
    ...(surface === 'gemini' ? {} : { model: MODEL, stream: true }),
    ...body,
  })
  const controller = await sent.promise
  let text = ''
  const reading = answering.then(async (response) => {
    expect(response.status).toBe(200)
    for await (const piece of response.body ?? []) text += new TextDecoder().decode(piece)
  })
  const until = async (isSeen: () => boolean) => {
    while (!isSeen()) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    until,
    text: () => text,
    proceed() {
      controller.enqueue(after)
      controller.close()
    },
    async end() {
      await reading
      return text
    },
  }
}

const CASES = (Object.keys(SURFACES) as Surface[]).flatMap((surface) =>
  (Object.keys(VENDORS) as Vendor[]).map((kind) => ({ surface, kind })),
)

/** What was sent before the silence has arrived. A translated stream without any words starts later. */
const isBegun = (text: string, { surface, kind }: { surface: Surface; kind: Vendor }) =>
  kind === 'a chat that has only begun' ? surface !== 'chat' || text.includes('"role"') : text.includes('Well ')

const alivesIn = (text: string, surface: Surface) => text.match(SURFACES[surface].alive ?? /^:/gm)?.length ?? 0

/** A caller has to hear something meanwhile, if their API has a word for it. */
async function minutesPass(fixture: RelayFixture, stream: Awaited<ReturnType<typeof silentStream>>, surface: Surface) {
  for (const seconds of [16, 100]) {
    const heard = alivesIn(stream.text(), surface)
    fixture.app.clock.pass(seconds)
    fixture.app.parts.watchdog.check()
    const isHeard = () => {
      // What was sent before the silence may arrive only now.
      fixture.app.clock.pass(1)
      return alivesIn(stream.text(), surface) > heard
    }
    if (SURFACES[surface].alive !== undefined) await stream.until(isHeard)
  }
}

test.each(CASES)('$kind may be silent for minutes: a caller of $surface hears that it is alive', async (row) => {
  const { surface, kind } = row
  const fixture = await relayFixture({ options: { ModelRatio: `{"${MODEL}":1}`, CompletionRatio: `{"${MODEL}":1}` } })
  const stream = await silentStream(fixture, surface, kind)
  await stream.until(() => isBegun(stream.text(), row))
  await minutesPass(fixture, stream, surface)
  stream.proceed()
  const text = await stream.end()
  expect(text).toContain('then')
  expect(text).not.toMatch(/went silent|broke off/)
  expect(await fixture.onlyLog()).toMatchObject({ quota: 7, prompt_tokens: 5, completion_tokens: 2 })
  expect(await fixture.openHolds()).toEqual([])
  expect(await fixture.app.audit()).toEqual([])
})

test.each([
  { kind: 'a chat that has only begun', surface: 'chat' },
  { kind: 'a response that reasons after its first words', surface: 'responses' },
  { kind: 'a response that reasons after its first words', surface: 'messages' },
] as const)('$kind and never goes on is given up after five minutes for a caller of $surface', async (row) => {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const stream = await silentStream(fixture, row.surface, row.kind)
  await stream.until(() => isBegun(stream.text(), row))
  await minutesPass(fixture, stream, row.surface)
  fixture.app.clock.pass(301)
  fixture.app.parts.watchdog.check()
  expect(await stream.end()).toMatch(/The upstream went silent/)
  expect(await fixture.openHolds()).toEqual([])
})
