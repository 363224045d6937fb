import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(120_000)

/*
 * Every class of a vendor's failure, in every dialect, through every vendor's API: the caller gets its own dialect, never the
 * channel's key, and pays nothing for what is no answer.
 */

const KEY = 'sk-canary-4711-of-the-channel'

const SURFACES = {
  chat: {
    path: () => '/v1/chat/completions',
    body: (model: string, stream: boolean) => ({ model, messages: MESSAGES, stream }),
  },
  responses: {
    path: () => '/v1/responses',
    body: (model: string, stream: boolean) => ({ model, input: 'Hi', stream }),
  },
  messages: {
    path: () => '/v1/messages',
    body: (model: string, stream: boolean) => ({ model, messages: MESSAGES, max_tokens: 64, stream }),
  },
  gemini: {
    path: (model: string, stream: boolean) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
  },
} as const

type Surface = keyof typeof SURFACES
const SURFACE_NAMES = Object.keys(SURFACES) as Surface[] // the keys of a literal

const VENDORS = {
  openai: {
    type: 1,
    model: 'gpt-4o',
    error: (message: string) => ({ error: { message, type: 'own', code: null, param: null } }),
  },
  codex: {
    type: 1,
    model: 'gpt-5.1-codex',
    error: (message: string) => ({ error: { message, type: 'own', code: null } }),
  },
  anthropic: {
    type: 14,
    model: 'claude-opus-4-5',
    error: (message: string) => ({ type: 'error', error: { type: 'own', message } }),
  },
  gemini: {
    type: 24,
    model: 'gemini-2.5-pro',
    error: (message: string) => ({ error: { code: 1, message, status: 'OWN' } }),
  },
} as const

type Vendor = keyof typeof VENDORS
const VENDOR_NAMES = Object.keys(VENDORS) as Vendor[] // the keys of a literal

/** What the vendor answers next, and calls of every surface, whole and streamed. */
async function callsThrough(name: Vendor) {
  const { type, model } = VENDORS[name]
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  let answer: () => Response = () => new Response()
  const vendor = fakeVendor(() => answer())
  const { id } = await fixture.channel(model, { type, base_url: vendor.url, key: KEY })

  const call = async (surface: Surface, stream: boolean, given: () => Response) => {
    answer = given
    const { path, body } = SURFACES[surface]
    const response = await fixture.post(path(model, stream), body(model, stream))
    const text = await response.text()
    // A failure may disable the channel or let it rest.
    await fixture.root.put('/api/channel/', { id, status: 1 })
    fixture.app.clock.pass(120)
    return { status: response.status, headers: response.headers, text }
  }
  return { ...fixture, call }
}

/** The status of a caller in any dialect, and the words of the two dialects that name it. */
const CLASSES: [status: number, told: number, anthropic: string, google: string, final: boolean][] = [
  [400, 400, 'invalid_request_error', 'INVALID_ARGUMENT', true],
  // The channel's key and account are not the caller's.
  [401, 502, 'api_error', 'UNAVAILABLE', false],
  [402, 502, 'api_error', 'UNAVAILABLE', false],
  [403, 502, 'api_error', 'UNAVAILABLE', false],
  [404, 404, 'not_found_error', 'NOT_FOUND', true],
  [408, 408, 'timeout_error', 'DEADLINE_EXCEEDED', false],
  [409, 409, 'conflict_error', 'ABORTED', false],
  [413, 413, 'request_too_large', 'INVALID_ARGUMENT', true],
  [422, 422, 'invalid_request_error', 'INVALID_ARGUMENT', true],
  // Something behind the vendor failed, or the vendor gave up.
  [424, 502, 'api_error', 'UNAVAILABLE', false],
  [429, 429, 'rate_limit_error', 'RESOURCE_EXHAUSTED', false],
  [499, 502, 'api_error', 'UNAVAILABLE', false],
  [500, 500, 'api_error', 'INTERNAL', false],
  [501, 501, 'api_error', 'UNIMPLEMENTED', false],
  [502, 502, 'api_error', 'UNAVAILABLE', false],
  [503, 503, 'overloaded_error', 'UNAVAILABLE', false],
  [504, 504, 'timeout_error', 'DEADLINE_EXCEEDED', false],
  [529, 529, 'overloaded_error', 'UNAVAILABLE', false],
]

test.each(VENDOR_NAMES)('%s: every status is told in the words of the caller’s dialect', async (name) => {
  const { call, account } = await callsThrough(name)
  for (const [status, told, anthropic, google, final] of CLASSES) {
    for (const surface of SURFACE_NAMES) {
      for (const stream of [false, true]) {
        const error = VENDORS[name].error(`Bad key ${KEY}`)
        const answered = await call(surface, stream, () => Response.json(error, { status }))
        const body = JSON.parse(answered.text)
        const at = `${status} ${surface} ${stream}`
        const wanted = surface === 'gemini' && told === 529 ? 503 : told
        expect([at, answered.status]).toEqual([at, wanted])
        if (surface === 'messages') expect([at, body.type, body.error.type]).toEqual([at, 'error', anthropic])
        if (surface === 'gemini') expect([at, body.error.code, body.error.status]).toEqual([at, wanted, google])
        if (surface === 'chat' || surface === 'responses')
          expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'param', 'type'])
        expect([at, answered.headers.get('x-should-retry')]).toEqual([at, final ? 'false' : null])
        expect([at, answered.headers.has('retry-after')]).toEqual([at, status === 429])
        expect(answered.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
        expect(answered.text).toContain('Bad key')
        expect(answered.text + [...answered.headers.values()].join()).not.toContain(KEY)
      }
    }
  }
  expect(await account()).toMatchObject({ used_quota: 0, held: 0 })
})

const json = (text: string) => () => new Response(text, { headers: { 'content-type': 'application/json' } })

const NO_ANSWERS: [what: string, answer: () => Response, says: RegExp][] = [
  [
    'a page',
    () => new Response(`<html>${KEY}</html>`, { headers: { 'content-type': 'text/html' } }),
    /not JSON|malformed|broke off/,
  ],
  ['nothing', json(''), /not JSON|malformed|broke off/],
  ['half an object', json('{"id":"x","choices":[{"mess'), /not JSON|malformed|broke off/],
  ['null', json('null'), /not JSON|malformed|broke off/],
  ['an empty object', json('{}'), /malformed/],
  ['an empty list', json('[]'), /malformed/],
  ['a management API’s refusal', json('{"success":false,"message":"No channel is available"}'), /No channel|malformed/],
  ['an object about something else', json('{"status":"ok","version":"1.2.3"}'), /malformed/],
]

test.each(VENDOR_NAMES)(
  '%s: what is no answer is the vendor’s failure in every dialect, and costs nothing',
  async (name) => {
    const { call, account } = await callsThrough(name)
    for (const [what, answer, says] of NO_ANSWERS) {
      for (const surface of SURFACE_NAMES) {
        const { status, text } = await call(surface, false, answer)
        expect([what, surface, status]).toEqual([what, surface, 502])
        expect(JSON.parse(text).error.message).toMatch(says)
        expect(text).not.toContain(KEY)
      }
    }
    expect(await account()).toMatchObject({ used_quota: 0, held: 0 })
  },
)

const STARTS: Record<Vendor, { surface: Surface; events: object[] }> = {
  openai: {
    surface: 'chat',
    events: [
      {
        id: 'c',
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Half' } }],
      },
    ],
  },
  codex: {
    surface: 'responses',
    events: [
      { type: 'response.created', response: { id: 'r', object: 'response', status: 'in_progress', output: [] } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Half' },
    ],
  },
  anthropic: {
    surface: 'messages',
    events: [
      {
        type: 'message_start',
        message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 4, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half' } },
    ],
  },
  gemini: {
    surface: 'gemini',
    events: [{ candidates: [{ content: { role: 'model', parts: [{ text: 'Half' }] }, index: 0 }] }],
  },
}

test.each(VENDOR_NAMES)(
  '%s: a stream that is closed in the middle of a line ends with an error that can be read',
  async (name) => {
    const { call } = await callsThrough(name)
    const { surface, events } = STARTS[name]
    const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    for (const rest of ['data: {"bro', 'event: mess', ' ', 'data']) {
      const { text } = await call(
        surface,
        true,
        () => new Response(frames + rest, { headers: { 'content-type': 'text/event-stream' } }),
      )
      expect(text).toStartWith(frames)
      const data = text.split('\n').filter((line) => line.startsWith('data: '))
      const last = JSON.parse(data.at(-1)?.slice(6) ?? '')
      expect(last.error.message).toMatch(/broke off/)
      expect(text.slice(frames.length)).not.toContain('bro"')
      for (const line of data) expect(() => JSON.parse(line.slice(6))).not.toThrow()
    }
  },
)

test('a last event without its blank line is complete', async () => {
  const { call } = await callsThrough('openai')
  const chunk = { id: 'c', choices: [{ index: 0, delta: { content: 'Whole' }, finish_reason: 'stop' }] }
  const stream = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]`
  const { text } = await call(
    'chat',
    true,
    () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
  )
  expect(text).toContain('Whole')
  expect(text).toEndWith('data: [DONE]\n\n')
})
