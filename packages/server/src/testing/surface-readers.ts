import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'

/** What a caller makes of an answer, whatever the dialect. */
export interface ReadAnswer {
  text: string
  thinking: string
  calls: { name: string; args: unknown }[]
  finish: string
  input: number
  output: number
}

interface Asked {
  url: string
  key: string
  model: string
}

const openai = ({ url, key }: Asked) => new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
const argsIn = (text: string): unknown => JSON.parse(text)
const memberOf = (value: object, name: string): unknown => Object.entries(value).find(([own]) => own === name)?.[1]

/** A stream of each dialect, read by the official client. */
export const STREAM_READERS: Record<string, (asked: Asked) => Promise<ReadAnswer>> = {
  async chat(asked) {
    const tools = [{ type: 'function' as const, function: { name: 'tide', parameters: { type: 'object' } } }]
    const stream = openai(asked).chat.completions.stream({
      ...{ model: asked.model, messages: [{ role: 'user', content: 'Hi' }], tools },
      stream_options: { include_usage: true },
    })
    let thinking = ''
    stream.on('chunk', ({ choices }) => {
      for (const { delta } of choices)
        thinking += memberOf(delta, 'reasoning_content') ?? memberOf(delta, 'reasoning') ?? ''
    })
    const { choices, usage } = await stream.finalChatCompletion()
    const [choice] = choices
    const calls = choice?.message.tool_calls ?? []
    return {
      text: (choice?.message.content ?? '') + (choice?.message.refusal ?? ''),
      thinking,
      calls: calls.flatMap((call) =>
        call.type === 'function' ? [{ name: call.function.name, args: argsIn(call.function.arguments) }] : [],
      ),
      finish: choice?.finish_reason ?? '',
      ...{ input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 },
    }
  },

  async responses(asked) {
    const tools = [{ type: 'function' as const, name: 'tide', parameters: { type: 'object' }, strict: false }]
    const stream = openai(asked).responses.stream({ model: asked.model, input: 'Hi', store: false, tools })
    const { output, status, incomplete_details, usage } = await stream.finalResponse()
    const calls = output.flatMap((item) =>
      item.type === 'function_call' ? [{ name: item.name, args: argsIn(item.arguments) }] : [],
    )
    const ended = { max_output_tokens: 'length', content_filter: 'content_filter' }
    const reason = incomplete_details?.reason
    return {
      text: output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map((part) => (part.type === 'refusal' ? part.refusal : part.text))
        .join(''),
      thinking: output
        .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
        .map(({ text }) => text)
        .join(''),
      calls,
      finish: reason
        ? (Object.entries(ended).find(([own]) => own === reason)?.[1] ?? reason)
        : status !== 'completed'
          ? `${status}`
          : calls.length > 0
            ? 'tool_calls'
            : 'stop',
      ...{ input: usage?.input_tokens ?? 0, output: usage?.output_tokens ?? 0 },
    }
  },

  async messages({ url, key, model }) {
    const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
    const { content, stop_reason, usage } = await client.messages
      .stream({
        ...{ model, max_tokens: 99, messages: [{ role: 'user', content: 'Hi' }] },
        tools: [{ name: 'tide', input_schema: { type: 'object' } }],
      })
      .finalMessage()
    const words = { end_turn: 'stop', max_tokens: 'length', tool_use: 'tool_calls', refusal: 'content_filter' }
    const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      thinking: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, args: block.input }] : [])),
      finish: Object.entries(words).find(([own]) => own === stop_reason)?.[1] ?? `${stop_reason}`,
      ...{ input: usage.input_tokens + cached, output: usage.output_tokens },
    }
  },

  async contents({ url, key, model }) {
    const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
    const tools = [{ functionDeclarations: [{ name: 'tide' }] }]
    const read: ReadAnswer = { text: '', thinking: '', calls: [], finish: '', input: 0, output: 0 }
    for await (const chunk of await google.models.generateContentStream({ model, contents: 'Hi', config: { tools } })) {
      const [candidate] = chunk.candidates ?? []
      for (const { text = '', thought, functionCall } of candidate?.content?.parts ?? []) {
        read[thought ? 'thinking' : 'text'] += text
        if (functionCall) read.calls.push({ name: functionCall.name ?? '', args: functionCall.args ?? {} })
      }
      const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = chunk.usageMetadata ?? {}
      if (chunk.usageMetadata)
        Object.assign(read, { input: promptTokenCount, output: candidatesTokenCount + thoughtsTokenCount })
      const words = {
        STOP: read.calls.length > 0 ? 'tool_calls' : 'stop',
        MAX_TOKENS: 'length',
        SAFETY: 'content_filter',
      }
      const reason = candidate?.finishReason
      if (reason) read.finish = Object.entries(words).find(([own]) => own === reason)?.[1] ?? reason
    }
    return read
  },
}

const WORDS = [{ role: 'user' as const, content: 'Hi' }]

/** The calls of a whole answer of each dialect, read by the official client. */
export const WHOLE_READERS: Record<string, (asked: Asked) => Promise<Pick<ReadAnswer, 'calls'>>> = {
  async 'whole chat'(asked) {
    const { choices } = await openai(asked).chat.completions.create({ model: asked.model, messages: WORDS })
    const calls = choices[0]?.message.tool_calls ?? []
    return {
      calls: calls.flatMap((call) =>
        call.type === 'function' ? [{ name: call.function.name, args: argsIn(call.function.arguments) }] : [],
      ),
    }
  },
  async 'whole responses'(asked) {
    const { output } = await openai(asked).responses.create({ model: asked.model, input: 'Hi', store: false })
    return {
      calls: output.flatMap((item) =>
        item.type === 'function_call' ? [{ name: item.name, args: argsIn(item.arguments) }] : [],
      ),
    }
  },
  async 'whole messages'({ url, key, model }) {
    const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
    const { content } = await client.messages.create({ model, max_tokens: 99, messages: WORDS })
    return {
      calls: content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, args: block.input }] : [])),
    }
  },
  async 'whole contents'({ url, key, model }) {
    const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
    const { functionCalls = [] } = await google.models.generateContent({ model, contents: 'Hi' })
    return { calls: functionCalls.map(({ name = '', args = {} }) => ({ name, args })) }
  },
}
