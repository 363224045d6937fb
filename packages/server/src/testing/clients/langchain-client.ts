import { type AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { concat } from '@langchain/core/utils/stream'
import { ChatOpenAI } from '@langchain/openai'
import { CLOCK_SCHEMA, type Client, PNG, QUESTION, REPORT, SYSTEM, TIME, WEATHER_SCHEMA } from './conversation.ts'

export const langChainClient: Client = async ({ url, key, model, streamed }) => {
  const chain = new ChatOpenAI({
    model,
    apiKey: key,
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1` },
  }).bindTools([
    { type: 'function', function: { name: 'weather', description: 'The weather', parameters: WEATHER_SCHEMA } },
    { type: 'function', function: { name: 'clock', parameters: CLOCK_SCHEMA } },
  ])
  const ask = async (messages: Parameters<typeof chain.invoke>[0]): Promise<AIMessageChunk> => {
    if (!streamed) return chain.invoke(messages)
    let all: AIMessageChunk | undefined
    for await (const chunk of await chain.stream(messages)) all = all === undefined ? chunk : concat(all, chunk)
    if (all === undefined) throw new Error('The stream was empty')
    return all
  }
  const question = [
    new SystemMessage(SYSTEM),
    new HumanMessage({
      content: [
        { type: 'text', text: QUESTION },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    }),
  ]
  const first = await ask(question)
  const results = (first.tool_calls ?? []).map(
    ({ id = '', name }) => new ToolMessage({ tool_call_id: id, content: name === 'weather' ? REPORT : TIME }),
  )
  const second = await ask([...question, first, ...results])
  const usage: { input_tokens?: number; output_tokens?: number } = first.usage_metadata ?? {}
  return {
    thinking: undefined,
    text: first.text,
    calls: (first.tool_calls ?? []).map(({ name, args }) => ({ name, args })),
    stopped: first.response_metadata.finish_reason === 'tool_calls' ? 'calls' : undefined,
    tokens: { input: usage.input_tokens ?? 0, output: usage.output_tokens ?? 0 },
    answer: second.text,
  }
}
