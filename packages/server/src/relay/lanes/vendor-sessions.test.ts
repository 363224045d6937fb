import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { keyOfType } from '../../testing/channel-makers.ts'
import {
  CLOCK_SCHEMA,
  FIRST,
  REPORT,
  SECOND,
  SYSTEM,
  TIME,
  WEATHER_SCHEMA,
} from '../../testing/clients/conversation.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { strictBaidu } from '../../testing/vendors/strict-baidu.ts'
import { strictCloudflare } from '../../testing/vendors/strict-cloudflare.ts'
import { strictCoze } from '../../testing/vendors/strict-coze.ts'
import { strictDashScope } from '../../testing/vendors/strict-dashscope.ts'
import { strictHunyuan } from '../../testing/vendors/strict-hunyuan.ts'
import { strictOllama } from '../../testing/vendors/strict-ollama.ts'
import { strictReplicate } from '../../testing/vendors/strict-replicate.ts'
import { strictSpark } from '../../testing/vendors/strict-spark.ts'
import { type Fields, type StrictVendor, strictVendor, type VendorAnswer } from '../../testing/vendors/strict-vendor.ts'

/* An agent's session with vendors of other dialects, each as strict as its documentation. */

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

interface Vendor extends Pick<StrictVendor, 'name' | 'type' | 'model' | 'config' | 'calls'> {
  key?: string
  start(answers: readonly VendorAnswer[]): { url: string; journal: { body: Fields }[] }
}

const overHttp = (vendor: StrictVendor): Vendor => ({ ...vendor, start: (answers) => strictVendor(vendor, answers) })

const VENDORS: Vendor[] = [
  ...[strictOllama, strictDashScope, strictHunyuan, strictBaidu, strictCoze, strictReplicate, strictCloudflare].map(
    overHttp,
  ),
  strictSpark,
]

interface Answer {
  text: string
  calls: { id: string; name: string; args: unknown }[]
}

interface Session {
  url: string
  key: string
  model: string
  streamed: boolean
  tools: boolean
}

/** Two turns: a question, and either the results of the calls with a message of the user, or another question. */
type Agent = (session: Session) => Promise<[Answer, Answer]>

const QUESTION = 'What weather is it in Brest, and what time?'
/** As agents request it, whatever the model's maximum. */
const OUTPUT_TOKENS = 32_000

const claudeLike: Agent = async ({ url, key, model, streamed, tools }) => {
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0, timeout: 30_000 })
  const ask = async (messages: Anthropic.MessageParam[]) => {
    const request = {
      ...{ model, messages, max_tokens: OUTPUT_TOKENS },
      system: [{ type: 'text' as const, text: SYSTEM, cache_control: { type: 'ephemeral' as const } }],
      metadata: { user_id: JSON.stringify({ device: 'd'.repeat(64), session: 's'.repeat(36) }) },
      ...(tools && {
        tools: [
          { name: 'weather', description: 'The weather', input_schema: WEATHER_SCHEMA },
          { name: 'clock', input_schema: CLOCK_SCHEMA },
        ],
      }),
    }
    return streamed ? client.messages.stream(request).finalMessage() : client.messages.create(request)
  }
  const received = ({ content }: Anthropic.Message): Answer => ({
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: block.input }] : [],
    ),
  })
  const question: Anthropic.MessageParam = { role: 'user', content: QUESTION }
  const first = await ask([question])
  const results = received(first).calls.map(({ id, name }) => ({
    ...{ type: 'tool_result' as const, tool_use_id: id, content: name === 'clock' ? TIME : REPORT },
  }))
  const next: Anthropic.MessageParam = { role: 'user', content: [...results, { type: 'text', text: 'And now?' }] }
  const second = await ask([question, { role: 'assistant', content: first.content }, next])
  return [received(first), received(second)]
}

const chatLike: Agent = async ({ url, key, model, streamed, tools }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  const toolOf = (name: string, parameters: Record<string, unknown>) => ({
    ...{ type: 'function' as const, function: { name, description: `The ${name}`, parameters } },
  })
  const ask = async (messages: OpenAI.ChatCompletionMessageParam[]) => {
    const request = {
      ...{ model, messages: [{ role: 'system' as const, content: SYSTEM }, ...messages], max_tokens: OUTPUT_TOKENS },
      ...{
        temperature: 0,
        ...(tools && { tools: [toolOf('weather', WEATHER_SCHEMA), toolOf('clock', CLOCK_SCHEMA)] }),
      },
    }
    const whole = streamed
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request)
    const message = whole.choices[0]?.message
    if (message === undefined) throw new Error('Nothing was said')
    return message
  }
  const callsOf = ({ tool_calls = [] }: OpenAI.ChatCompletionMessage) =>
    tool_calls.flatMap((call) => (call.type === 'function' ? [call] : []))
  const received = (message: OpenAI.ChatCompletionMessage): Answer => ({
    text: message.content ?? '',
    calls: callsOf(message).map(({ id, function: { name, arguments: args } }) => ({
      id,
      name,
      args: JSON.parse(args),
    })),
  })
  const question: OpenAI.ChatCompletionMessageParam = {
    role: 'user',
    content: [{ type: 'text', text: QUESTION }],
  }
  const first = await ask([question])
  const { content, ...calls } = { content: first.content, tool_calls: callsOf(first) }
  const said: OpenAI.ChatCompletionMessageParam = calls.tool_calls.length
    ? { role: 'assistant', content: null, ...calls }
    : { role: 'assistant', content }
  const results = received(first).calls.map(({ id, name }) => ({
    ...{ role: 'tool' as const, tool_call_id: id, content: name === 'clock' ? TIME : REPORT },
  }))
  const second = await ask([question, said, ...results, { role: 'user', content: 'And now?' }])
  return [received(first), received(second)]
}

const AGENTS: [string, Agent][] = [
  ["an agent with Anthropic's client", claudeLike],
  ["an agent with OpenAI's client", chatLike],
]

describe.each(VENDORS.map((vendor): [string, Vendor] => [vendor.name, vendor]))('%s', (_, vendor) => {
  test.each(AGENTS)('serves %s, whole and streamed', async (_name, agent) => {
    const { app, channel, key: ours, logs } = await relayFixture({ quota: 100_000_000 })
    const { type, model, config = {}, calls: can, key = keyOfType(type) } = vendor
    const { thinking: _unsigned, calls: both = [], ...said } = FIRST
    const calls = can === 'none' ? [] : can === 'one' ? both.slice(0, 1) : both
    const upstream = vendor.start([{ ...said, ...(calls.length > 0 && { calls }) }, SECOND])
    await channel(model, { type, key, base_url: upstream.url, config: JSON.stringify(config) })
    for (const streamed of [false, true]) {
      const session = { url: app.url, key: ours, model, streamed, tools: can !== 'none' }
      const [first, second] = await agent(session)
      expect({ streamed, text: first.text, calls: first.calls.map(({ name, args }) => ({ name, args })) }).toEqual({
        ...{ streamed, text: FIRST.text ?? '', calls: calls.map(({ name, args }) => ({ name, args })) },
      })
      expect({ streamed, ...second }).toEqual({ streamed, text: SECOND.text ?? '', calls: [] })
    }
    const rows = await logs()
    expect(rows.map(({ detail }) => detail.error)).toEqual([undefined, undefined, undefined, undefined])
    expect(rows.every(({ prompt_tokens, completion_tokens }) => prompt_tokens > 0 && completion_tokens > 0)).toBe(true)
    expect(await app.audit()).toEqual([])
  })
})
