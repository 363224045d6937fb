import Anthropic from '@anthropic-ai/sdk'
import { CLOCK_SCHEMA, type Client, PNG, QUESTION, REPORT, SYSTEM, TIME, WEATHER_SCHEMA } from './conversation.ts'

export const anthropicClient: Client = async ({ url, key, model, streamed }) => {
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
  const image = {
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png' as const, data: PNG },
  }
  const ask = (messages: Anthropic.MessageParam[]) => {
    const request = {
      model,
      max_tokens: 8000,
      system: [{ type: 'text' as const, text: SYSTEM, cache_control: { type: 'ephemeral' as const } }],
      thinking: { type: 'enabled' as const, budget_tokens: 2048 },
      tools: [
        { name: 'weather', description: 'The weather', input_schema: WEATHER_SCHEMA },
        { name: 'clock', input_schema: CLOCK_SCHEMA, cache_control: { type: 'ephemeral' as const } },
      ],
      messages,
    }
    return streamed ? client.messages.stream(request).finalMessage() : client.messages.create(request)
  }
  const question: Anthropic.MessageParam = { role: 'user', content: [{ type: 'text', text: QUESTION }, image] }
  const first = await ask([question])
  const [weather, clock] = first.content.filter((block) => block.type === 'tool_use')
  const second = await ask([
    question,
    { role: 'assistant', content: first.content },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: weather?.id ?? '', content: [{ type: 'text', text: REPORT }, image] },
        { type: 'tool_result', tool_use_id: clock?.id ?? '', content: TIME },
        { type: 'text', text: 'And now?' },
      ],
    },
  ])
  const { usage } = first
  return {
    thinking: first.content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join(''),
    text: textOf(first),
    calls: first.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, args: block.input }] : [],
    ),
    stopped: first.stop_reason === 'tool_use' ? 'calls' : String(first.stop_reason),
    tokens: {
      input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      output: usage.output_tokens,
    },
    answer: textOf(second),
  }
}

const textOf = ({ content }: Anthropic.Message) =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
