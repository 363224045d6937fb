import { expect, setDefaultTimeout, test } from 'bun:test'
import { chatLine } from '../testing/batch-fixture.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

// A server and a database are started, possibly on a busy machine.
setDefaultTimeout(30_000)

const MODEL = 'deepseek-chat'

const fileOf = (line: object) => {
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new File([JSON.stringify(line)], 'in.jsonl'))
  return form
}

const messages = [{ role: 'user', content: 'Tell me of tides' }]

const REQUESTS: Record<string, { path: string; body: FormData | object; status: number; sentence: string }> = {
  'a file of chats': {
    ...{ path: '/v1/files', body: fileOf(chatLine('a', { model: MODEL })), status: 400 },
    sentence: `No channel offers batches for these models together: ${MODEL}`,
  },
  'a file of embeddings': {
    path: '/v1/files',
    body: fileOf({
      ...{ custom_id: 'a', method: 'POST', url: '/v1/embeddings', body: { model: 'glm-4-plus', input: 'tides' } },
    }),
    ...{ status: 400, sentence: 'No channel offers batches for these models together: glm-4-plus' },
  },
  'a message batch': {
    path: '/v1/messages/batches',
    body: { requests: [{ custom_id: 'a', params: { model: MODEL, max_tokens: 100, messages } }] },
    ...{ status: 400, sentence: `No channel offers batches for these models together: ${MODEL}` },
  },
  'a video': {
    ...{ path: '/v1/videos', body: { model: MODEL, prompt: 'The tide', seconds: '8', size: '1280x720' } },
    ...{ status: 404, sentence: `No channel for the model ${MODEL} generates videos` },
  },
  'a background response': {
    ...{ path: '/v1/responses', body: { model: MODEL, input: 'Tell me of tides', background: true } },
    ...{ status: 400, sentence: 'background' },
  },
  'a Midjourney task': {
    ...{ path: '/mj/submit/imagine', body: { prompt: 'The tide' }, status: 404, sentence: 'mj_imagine' },
  },
}

test.each(Object.entries(REQUESTS))(
  '%s: a channel that cannot do it is not asked, and nothing is held',
  async (_, one) => {
    const { app, key, channel, account, openHolds } = await relayFixture({ quota: 1_000_000 })
    const asked: string[] = []
    const vendor = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1' },
      fetch({ url }) {
        asked.push(url)
        return new Response('{}')
      },
    })
    const url = `http://127.0.0.1:${vendor.port}`
    await channel(MODEL, { type: 36, base_url: url, key: 'k' })
    // Zhipu takes batches, but of chats alone.
    await channel('glm-4-plus', { type: 16, base_url: url, key: 'id.secret' })
    const before = await account()
    const form = one.body instanceof FormData
    const answer = await fetch(app.url + one.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(form ? {} : { 'content-type': 'application/json' }) },
      body: one.body instanceof FormData ? one.body : JSON.stringify(one.body),
    })
    const text = await answer.text()
    expect([answer.status, text]).toEqual([one.status, expect.stringContaining(one.sentence)])
    expect([asked, await account(), await openHolds()]).toEqual([[], before, []])
    await vendor.stop(true)
  },
)
