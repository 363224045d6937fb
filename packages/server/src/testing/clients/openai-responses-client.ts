import OpenAI from 'openai'
import { CLOCK_SCHEMA, type Client, PNG, QUESTION, REPORT, SYSTEM, TIME, WEATHER_SCHEMA } from './conversation.ts'

export const openAiResponsesClient: Client = async ({ url, key, model, streamed }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  const ask = async (input: OpenAI.Responses.ResponseInput): Promise<OpenAI.Responses.Response> => {
    const request = {
      model,
      input,
      instructions: SYSTEM,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      reasoning: { effort: 'low' as const, summary: 'auto' as const },
      tools: [
        {
          type: 'function' as const,
          name: 'weather',
          description: 'The weather',
          parameters: WEATHER_SCHEMA,
          strict: false,
        },
        { type: 'function' as const, name: 'clock', parameters: CLOCK_SCHEMA, strict: false },
      ],
    }
    return streamed ? client.responses.stream(request).finalResponse() : client.responses.create(request)
  }
  const input: OpenAI.Responses.ResponseInput = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: QUESTION },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
      ],
    },
  ]
  const first = await ask(input)
  const calls = first.output.filter(isCall)
  const [weather, clock] = calls
  const second = await ask([
    ...input,
    // Output items may be sent back unchanged; only the library's types disagree with its guide.
    ...(first.output as OpenAI.Responses.ResponseInput),
    {
      type: 'function_call_output',
      call_id: weather?.call_id ?? '',
      output: [
        { type: 'input_text', text: REPORT },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
      ],
    },
    { type: 'function_call_output', call_id: clock?.call_id ?? '', output: TIME },
  ])
  return {
    thinking: first.output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary.map(({ text }) => text) : []))
      .join(''),
    text: first.output_text,
    calls: calls.map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) })),
    stopped: first.status === 'completed' && calls.length > 0 ? 'calls' : first.status,
    tokens: { input: first.usage?.input_tokens ?? 0, output: first.usage?.output_tokens ?? 0 },
    answer: second.output_text,
  }
}

const isCall = (item: { type: string }): item is OpenAI.Responses.ResponseFunctionToolCall =>
  item.type === 'function_call'
