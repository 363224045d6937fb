import { generateKeyPairSync } from 'node:crypto'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { keyOfType } from './channel-makers.ts'

/*
 * The vendors of all channel types behind one port, each under `/<type>`, with the answers from the vendors' own fixtures. Requests are
 * in the journal.
 */

export interface ReceivedRequest {
  type: number
  method: string
  path: string
  query: string
  headers: Headers
  body: string
}

/** `instead` may answer in place of the vendor. */
export const replayedVendors = (instead: (asked: ReceivedRequest) => Response | undefined = () => undefined) => {
  const journal: ReceivedRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request, self) {
      const { pathname, search } = new URL(request.url)
      const [, digits = '', rest = ''] = /^\/(\d+)(\/.*)$/.exec(pathname) ?? []
      const { method, headers } = request
      const asked = { type: Number(digits), method, path: rest, query: search, headers, body: await request.text() }
      journal.push(asked)
      return self.upgrade(request) ? undefined : (instead(asked) ?? answerTo(asked))
    },
    websocket: {
      /** Spark: one question, and frames until the last. */
      async message(socket) {
        const frames = await fixture('spark/fixtures/text.jsonl').text()
        for (const frame of frames.trim().split('\n')) socket.send(frame)
      },
    },
  })
  const addressOf = (type: number) => `http://127.0.0.1:${server.port}/${type}`
  return {
    journal,
    /** What a channel of the type needs besides its models. */
    fieldsOf: (type: number) => ({
      type,
      name: `type ${type}`,
      base_url: addressOf(type),
      key: keyOfType(type),
      config: JSON.stringify(configOf(type, `${addressOf(type)}/token`)),
    }),
    stop: () => server.stop(true),
  }
}

const fixture = (path: string) => Bun.file(new URL(`../../../providers/src/${path}`, import.meta.url))

/** Vendors whose answer to a chat differs from OpenAI's. */
const CHATS: Readonly<Record<string, string>> = {
  'aiproxy-library': 'aiproxy-library/fixtures/text.json',
  anthropic: 'anthropic/fixtures/cited.json',
  aws: 'bedrock/fixtures/thinking.json',
  azure: 'azure/fixtures/text.json',
  baidu: 'baidu/fixtures/text.json',
  cloudflare: 'cloudflare/fixtures/text.json',
  cohere: 'cohere/fixtures/text.json',
  coze: 'coze/fixtures/text.sse',
  deepl: 'deepl/fixtures/text.json',
  gemini: 'gemini/fixtures/text.json',
  hunyuan: 'hunyuan/fixtures/text.json',
  ollama: 'ollama/fixtures/text.json',
  qwen: 'qwen/fixtures/text.json',
  replicate: 'replicate/fixtures/succeeded.json',
  vertex: 'anthropic/fixtures/cited.json',
  zhipu: 'zhipu/fixtures/text.json',
}

const LISTED = ['from-the-vendor', 'kept']

/** Vendors whose model list differs from OpenAI's. */
const LISTS: Readonly<Record<string, unknown>> = {
  aws: {
    modelSummaries: LISTED.map((modelId) => ({ modelId, inferenceTypesSupported: ['ON_DEMAND'] })),
    inferenceProfileSummaries: [],
  },
  cloudflare: { success: true, result: LISTED.map((name) => ({ id: 'uuid', name })) },
  cohere: { models: LISTED.map((name) => ({ name, endpoints: ['chat'] })) },
  gemini: { models: LISTED.map((name) => ({ name: `models/${name}`, version: '1' })) },
  'gemini-openai': { object: 'list', data: LISTED.map((id) => ({ id: `models/${id}` })) },
  ollama: { models: LISTED.map((name) => ({ name, size: 1 })) },
  vertex: { publisherModels: LISTED.map((name) => ({ name: `publishers/google/models/${name}` })) },
  together: LISTED.map((id) => ({ id, object: 'model', type: 'chat' })),
}

/** The vendors' answers about an account, as in their documentation. */
const ACCOUNTS: Readonly<Record<string, object>> = {
  '/v1/dashboard/billing/subscription': {
    object: 'billing_subscription',
    has_payment_method: true,
    hard_limit_usd: 100,
  },
  '/v1/dashboard/billing/usage': { object: 'list', total_usage: 4200 },
  '/dashboard/billing/credit_grants': { total_granted: 20, total_used: 5, total_available: 15, total_remaining: 12.5 },
  '/sb-api/user/status': { code: '0000', data: { credit: '250000' } },
  '/api/report/getUserOverview': { success: true, data: { totalPoints: 12_345 } },
  '/v1/credits': { data: { total_credits: 30, total_usage: 4.25 }, balance: '95.50', total_used: '4.50' },
  '/user/balance': {
    is_available: true,
    balance_infos: [{ currency: 'CNY', total_balance: '110.00', granted_balance: '10.00' }],
  },
  '/v1/user/info': { code: 20000, message: 'OK', status: true, data: { balance: '8', totalBalance: '88.88' } },
}

const keyOf = (type: number) => CHANNEL_TYPES.find(({ value }) => value === type)?.key ?? ''

function answerTo({ type, path, method }: ReceivedRequest) {
  const key = keyOf(type)
  const account = ACCOUNTS[path]
  if (account !== undefined) return Response.json(account)
  if (path === '/oauth/2.0/token' || path === '/token') {
    return Response.json({ access_token: 'a-short-lived-token', expires_in: 3600 })
  }
  if (path.endsWith('/embeddings')) {
    const data = [{ object: 'embedding', index: 0, embedding: [0.1, 0.2, 0.3] }]
    return Response.json({ object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } })
  }
  if (method === 'GET') return Response.json(LISTS[key] ?? { object: 'list', data: LISTED.map((id) => ({ id })) })
  const recorded = CHATS[key] ?? 'openai/fixtures/text.json'
  const kind = recorded.endsWith('.sse') ? 'text/event-stream' : 'application/json'
  return new Response(fixture(recorded), { headers: { 'content-type': kind } })
}

function configOf(type: number, tokenUri: string) {
  switch (keyOf(type)) {
    case 'aws':
      return { region: 'us-east-1', ak: 'AKIAEXAMPLE12345', sk: 'a/secret+key' }
    case 'coze':
    case 'cloudflare':
      return { user_id: 'the-user' }
    case 'vertex':
      return { region: 'us-central1', vertex_ai_project_id: 'the-project', vertex_ai_adc: serviceAccount(tokenUri) }
    default:
      return {}
  }
}

/** A service account whose tokens are issued by this address. */
export function serviceAccount(token_uri: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  return JSON.stringify({ type: 'service_account', client_email: 'a@b.example', private_key, token_uri })
}
