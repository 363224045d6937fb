import type { startBusyGateway } from './busy-gateway.ts'

const CHANNELS = 3
const KEYS = 4
const CONVERSATIONS = 50
const TURNS = 10
const MODEL = 'a-cached-model'

type Gateway = Pick<Awaited<ReturnType<typeof startBusyGateway>>, 'ask' | 'post'>

/**
 * How many conversation turns after the first find their prompt in the vendor's cache, which is separate for each key: three
 * channels with four keys each, fifty interleaved conversations.
 */
export const cacheHits = async ({ ask, post }: Gateway) => {
  const vendor = cachingVendor()
  for (let channel = 0; channel < CHANNELS; channel++) {
    const key = Array.from({ length: KEYS }, (_, number) => `sk-cache-${channel}-${number}`).join('\n')
    const place = { type: 8, name: `cache ${channel}`, base_url: vendor.url, models: MODEL }
    await ask('POST', '/api/channel/', { ...place, key, key_pool: true })
  }
  const talk = async () => {
    vendor.forget()
    for (let turn = 1; turn <= TURNS; turn++) {
      await Promise.all(Array.from({ length: CONVERSATIONS }, (_, number) => post(turnOf(number, turn))))
    }
    return vendor.hits() / (CONVERSATIONS * (TURNS - 1))
  }
  const setRules = (rules: unknown) =>
    ask('PUT', '/api/option/', { key: 'RoutingPolicies', value: JSON.stringify(rules) })
  await setRules([])
  const without = await talk()
  await setRules([{ group: '*', model: '*', policy: 'in_order', affinity: true }])
  const withAffinity = await talk()
  vendor.stop()
  return { without, withAffinity }
}

/** A turn contains the whole conversation, as clients send it. */
function turnOf(conversation: number, turns: number) {
  const said = Array.from({ length: turns - 1 }, (_, turn) => [question(conversation, turn), ANSWER]).flat()
  return JSON.stringify({ model: MODEL, messages: [...said, question(conversation, turns - 1)] })
}

const question = (conversation: number, turn: number) => ({
  role: 'user',
  content: `Question ${turn} of conversation ${conversation}`,
})

const ANSWER = { role: 'assistant', content: 'The bar goes up.' }

/** Remembers for each key the beginnings of the conversations it has answered. */
function cachingVendor() {
  const known = new Set<string>()
  let hits = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { messages } = (await request.json()) as { messages: unknown[] }
      const entry = `${request.headers.get('authorization')} ${JSON.stringify(messages[0])}`
      const isHit = known.has(entry)
      known.add(entry)
      if (isHit) hits++
      const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 }
      return Response.json({
        ...{ id: 'x', object: 'chat.completion', created: 1, model: MODEL },
        choices: [{ index: 0, message: ANSWER, finish_reason: 'stop' }],
        usage: { ...usage, prompt_tokens_details: { cached_tokens: isHit ? 90 : 0 } },
      })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    hits: () => hits,
    forget() {
      known.clear()
      hits = 0
    },
    stop: () => server.stop(true),
  }
}
