import OpenAI from 'openai'
import { CLOCK_SCHEMA, type Client, PNG, QUESTION, REPORT, SYSTEM, TIME, WEATHER_SCHEMA } from './conversation.ts'

export const openAiChatClient: Client = async ({ url, key, model, streamed }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  const thoughts: string[] = []
  const ask = (messages: OpenAI.ChatCompletionMessageParam[]) => {
    const request = {
      model,
      messages,
      reasoning_effort: 'low' as const,
      tools: [
        {
          type: 'function' as const,
          function: { name: 'weather', description: 'The weather', parameters: WEATHER_SCHEMA },
        },
        { type: 'function' as const, function: { name: 'clock', parameters: CLOCK_SCHEMA } },
      ],
    }
    if (!streamed) return client.chat.completions.create(request)
    const stream = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } })
    // The library keeps only the last delta of unknown fields.
    stream.on('chunk', ({ choices }) => thoughts.push(...choices.map(({ delta }) => reasoningIn(delta))))
    return stream.finalChatCompletion()
  }
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'developer', content: SYSTEM },
    {
      role: 'user',
      content: [
        { type: 'text', text: QUESTION },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    },
  ]
  const first = await ask(messages)
  const [choice] = first.choices
  const calls = (choice?.message.tool_calls ?? []).filter((call) => call.type === 'function')
  const second = await ask([
    ...messages,
    ...(choice === undefined ? [] : [choice.message]),
    ...calls.map(({ id }, index) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: index === 0 ? REPORT : [{ type: 'text' as const, text: TIME }],
    })),
  ])
  return {
    thinking: streamed ? thoughts.join('') : reasoningIn(choice?.message),
    text: choice?.message.content ?? '',
    calls: calls.map((call) => ({ name: call.function.name, args: JSON.parse(call.function.arguments) })),
    stopped: choice?.finish_reason === 'tool_calls' ? 'calls' : choice?.finish_reason,
    tokens: { input: first.usage?.prompt_tokens ?? 0, output: first.usage?.completion_tokens ?? 0 },
    answer: second.choices[0]?.message.content ?? '',
  }
}

/** Vendors return reasoning in a field that OpenAI does not have. */
function reasoningIn(message: object | undefined) {
  const own = message !== undefined && 'reasoning_content' in message ? message.reasoning_content : ''
  return typeof own === 'string' ? own : ''
}
