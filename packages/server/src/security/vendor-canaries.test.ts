import { describe, expect, onTestFinished, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { makeChannel } from '../testing/channel-makers.ts'
import { engine } from '../testing/database.ts'
import { MESSAGES, type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'

/*
 * A vendor that repeats everything it received in its errors: headers, URL and body. Afterwards no secret of the channel, nor anything
 * derived from one, is in an answer, a log line, the exported log or the database.
 */

const CANARY = 'canary0secret'

/** Also inside something base64-encoded, at each of the three alignments. */
const FORMS = [CANARY, ...[0, 1, 2].map((before) => btoa(' '.repeat(before) + CANARY).slice(before === 0 ? 0 : 4, -4))]

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' })

const STATUSES = [400, 401, 403, 429, 500]

type Mode = 'refuses' | 'grants a token and refuses' | 'fails in a stream' | 'fails in a 200'

const repeated = async (request: Request) => {
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`).join('; ')
  const text = `Incorrect API key: ${request.url} ${decodeURIComponent(request.url)} ${headers} ${await request.text()}`
  const details = { message: text, type: text, code: text, param: text }
  return {
    ...{ error: details, message: text, msg: text, detail: text, code: text, errors: [{ code: 1000, message: text }] },
    ...{ error_code: 110, error_msg: text, error_description: text, success: false, status: 'failed' },
    ...{ Response: { Error: { Code: text, Message: text } }, header: { code: 11200, message: text } },
    ...{ base_resp: { status_code: 1004, status_msg: text } },
  }
}

const TOKEN = { access_token: `${CANARY}-derived-token`, expires_in: 3600 }

function echoingVendor(mode: Mode, status: () => number) {
  let asked = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      asked++
      const { pathname } = new URL(request.url)
      if (/token$/.test(pathname) && mode !== 'refuses') return Response.json(TOKEN)
      const body = await repeated(request)
      if (mode === 'fails in a 200') return Response.json(body)
      if (mode !== 'fails in a stream') return Response.json(body, { status: status() })
      const events = `data: ${JSON.stringify(WORD)}\n\nevent: error\ndata: ${JSON.stringify(body)}\n\n`
      return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  onTestFinished(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, asked: () => asked }
}

const WORD = { choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: null }] }

function fieldsOf(type: number, url: string) {
  const adc = {
    ...{ type: 'service_account', project_id: 'p', private_key: PEM, client_email: 'a@example.com' },
    token_uri: `${url}/token`,
  }
  const [one, two, three] = ['a', 'b', 'c'].map((part) => `${CANARY}-${part}`)
  const keys: Record<number, string> = {
    15: `${one}|${two}`,
    16: `${one}.${two}`,
    18: `12345678|${two}|${three}`,
    23: `12345678|${two}|${three}`,
    33: `${one}|${two}|us-east-1`,
    42: `us-central1|my-project|${JSON.stringify(adc)}`,
    43: `Bearer ${one}/+=${two}`,
  }
  const config = JSON.stringify({ user_id: 'user', ...(type === 21 ? { library_id: 'library' } : {}) })
  return { type, base_url: url, key: keys[type] ?? `${one}/+=${two}`, config, models: MODELS }
}

const MODELS = 'Spark-Max,text-embedding-3-small,mj_imagine'

interface Called {
  id: number
  type: number
  url: string
  status: number
}

/** Every kind of request to a vendor. */
async function callAll({ app, root, key, post }: RelayFixture, { id, type, url, status }: Called) {
  const model = 'Spark-Max'
  const sent = { key: `${key}-${id}` }
  const form = () => {
    const fields = new FormData()
    fields.set('model', model)
    fields.set('file', new File(['RIFF'], 'a.wav', { type: 'audio/wav' }))
    return fields
  }
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
  const relayed: [string, object][] = [
    ['/v1/chat/completions', { model, messages: MESSAGES }],
    ['/v1/chat/completions', { model, messages: MESSAGES, stream: true }],
    ...(type === 61 ? ([['/mj/submit/imagine', { prompt: 'a' }]] satisfies [string, object][]) : []),
    ...(status === 401
      ? ([
          ['/v1/completions', { model, prompt: 'a' }],
          ['/v1/messages', { model, messages: MESSAGES, max_tokens: 5, stream: true }],
          ['/v1/responses', { model, input: 'a' }],
          ['/v1/responses', { model, input: 'a', stream: true }],
          [`/v1beta/models/${model}:generateContent`, { contents }],
          [`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents }],
          ['/v1/embeddings', { model, input: 'a' }],
          ['/v1/rerank', { model, query: 'a', documents: ['b'] }],
          ['/v1/images/generations', { model, prompt: 'a' }],
          ['/v1/audio/speech', { model, input: 'a', voice: 'alloy' }],
          ['/v1/audio/transcriptions', form()],
          ['/v1/moderations', { model, input: 'a' }],
          ['/v1/videos', { model, prompt: 'a' }],
        ] satisfies [string, object][])
      : []),
  ]
  const answers: string[] = []
  const keep = async (what: string, response: Response) =>
    answers.push(`${type} ${what} ${status}: ${JSON.stringify([...response.headers])} ${await response.text()}`)
  for (const [path, body] of relayed) {
    // A channel that failed before is called again, whatever it was disabled or skipped for.
    await root.put('/api/channel/', { id, status: 1 })
    await keep(path, await post(path, body, sent))
  }
  if (type === 43) {
    const headers = { authorization: `Bearer ${key}` }
    await keep('proxy', await fetch(`${app.url}/v1/oneapi/proxy/${id}/items?a=1`, { headers }))
  }
  for (const path of [
    `test/${id}?model=${model}`,
    `test/${id}?model=text-embedding-3-small`,
    `fetch_models/${id}`,
    `update_balance/${id}`,
  ]) {
    const { body } = await root.get(`/api/channel/${path}`)
    answers.push(`${type} ${path} ${status}: ${JSON.stringify(body)}`)
  }
  const looked = await root.post(`/api/model_list/${id}/look`, {})
  answers.push(`${type} model_list ${status}: ${JSON.stringify(looked.body)}`)
  const { base_url, key: typed, config } = fieldsOf(type, url)
  const { body } = await root.post('/api/channel/fetch_models', { type, base_url, key: typed, config })
  answers.push(`${type} fetch_models ${status}: ${JSON.stringify(body)}`)
  return answers
}

const leaks = (texts: readonly string[]) =>
  texts.flatMap((text) => FORMS.filter((form) => text.includes(form)).map((form) => around(text, form)))

const around = (text: string, form: string) => {
  const at = text.indexOf(form)
  return `${text.slice(0, 60)} … ${text.slice(Math.max(0, at - 60), at + 60)}`
}

/** Everything in the database, byte by byte if it is a file. */
async function stored({ app }: RelayFixture) {
  const rows = await app.db.selectFrom('logs').selectAll().execute()
  const channels = await app.db.selectFrom('channels').selectAll().execute()
  if (engine === 'postgres') return [JSON.stringify(rows), JSON.stringify(channels)]
  const folder = dirname(app.location)
  const files = readdirSync(folder).filter((name) => name.startsWith(basename(app.location)))
  return [JSON.stringify(rows), ...files.map((name) => readFileSync(join(folder, name), 'latin1'))]
}

describe.each(['refuses', 'grants a token and refuses', 'fails in a stream', 'fails in a 200'] satisfies Mode[])(
  'a vendor that %s',
  (mode) => {
    test('reveals no secret of a channel to anybody', async () => {
      let status = 401
      const vendor = echoingVendor(mode, () => status)
      const options = { RetryTimes: 0, AutomaticDisableChannelEnabled: true }
      const fixture = await relayFixture({ role: 10, quota: 1_000_000_000, options })
      const { app, root } = fixture
      const answers: string[] = []
      for (const { value: type } of CHANNEL_TYPES) {
        const fields = { ...fieldsOf(type, vendor.url), name: `type ${type}`, ...(type === 43 ? { models: '' } : {}) }
        const { id } = await makeChannel(root, fields)
        for (status of mode === 'refuses' ? STATUSES : [401]) {
          const before = vendor.asked()
          answers.push(...(await callAll(fixture, { id, type, url: vendor.url, status })))
          // PaLM has ended, and is never called.
          if (type !== 11) expect(vendor.asked(), String(type)).toBeGreaterThan(before)
          await root.put('/api/channel/', { id, status: 1 })
        }
      }
      expect(leaks(answers)).toEqual([])
      // The vendor's message is still reported, without the secrets.
      expect(answers.filter((answer) => answer.includes('Incorrect API key')).length).toBeGreaterThan(50)
      expect(leaks(app.lines)).toEqual([])
      const exported = await root.get('/api/log/export?format=jsonl')
      expect(leaks([JSON.stringify(exported.body), JSON.stringify((await root.get('/api/log/')).body)])).toEqual([])
      expect(leaks(await stored(fixture))).toEqual([])
    }, 300_000)
  },
)
