import { eventStream, fakeVendor, type ReceivedRequest } from './fake-vendor.ts'
import { relayFixture } from './relay-fixture.ts'

export const KEYS = ['sk-canary-of-the-pool-aaa1', 'sk-canary-of-the-pool-bbb2', 'sk-canary-of-the-pool-ccc3']

export const CHAT = {
  id: 'x',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
}

const PIECES = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: CHAT.usage },
]

type Answers = Record<string, (asked: ReceivedRequest) => Response | Promise<Response>>

export const refusal = (status: number, message: string, headers = {}) =>
  Response.json({ error: { message, type: 'x', code: null } }, { status, headers })

export const dead = () => refusal(401, 'Incorrect API key provided')
export const broke = () => refusal(402, 'Insufficient balance')
export const limited = (seconds: number) => () => refusal(429, 'Slow down', { 'retry-after': String(seconds) })

const hintOf = ({ headers }: ReceivedRequest) => (headers.get('authorization') ?? '').slice(-4)

/** A channel with a pool, where each key is answered as the test says; by default with a chat. */
export async function pooled(fields: object = {}, options = {}) {
  const relay = await relayFixture({ options })
  const answers: Answers = {}
  const vendor = fakeVendor((asked) => {
    const answer = answers[hintOf(asked)]
    if (answer !== undefined) return answer(asked)
    return isStream(asked) ? eventStream(...PIECES) : Response.json(CHAT)
  })
  const channel = await relay.channel('m', {
    ...{ type: 1, base_url: vendor.url, key: KEYS.join('\n'), key_pool: true },
    ...fields,
  })
  const keys = async () => (await relay.root.get(`/api/channel/${channel.id}/keys`)).data
  return {
    ...relay,
    ...{ answers, vendor, id: channel.id, keys },
    used: () => vendor.asked.map(hintOf),
    /** The reason on the routes page for skipping the channel. */
    routeReason: async () =>
      (await relay.root.get('/api/route/?group=default&model=m')).data.levels[0].channels[0].reason,
    say: async (fields: object = {}) => {
      const answer = await relay.chat('m', { max_tokens: 9, ...fields })
      await answer.text()
      return answer.status
    },
    channelNow: async () => (await relay.root.get(`/api/channel/${channel.id}`)).data,
  }
}

const isStream = ({ body }: ReceivedRequest) =>
  typeof body === 'object' && body !== null && 'stream' in body && body.stream === true

/** Background writes arrive after a moment. */
export async function until<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const value = await read()
    if (isSo(value)) return value
    if (Date.now() > deadline) throw new Error(`It did not become so: ${JSON.stringify(value)}`)
    await Bun.sleep(10)
  }
}

export const keysWhere = (fixture: Awaited<ReturnType<typeof pooled>>, isSo: (keys: KeyShown[]) => boolean) =>
  until<KeyShown[]>(fixture.keys, isSo)

export interface KeyShown {
  id: number
  key_hint: string
  status: number
  status_reason: string
  cooldown_until: number
  cooldowns: { model: string; until: number }[]
  last_error: string
  used_quota: number
  calls: number
  accessed_time: number
}
