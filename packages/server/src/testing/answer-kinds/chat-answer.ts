import { ARGS, CALL, TEXT } from './library-kinds.ts'

/* A chat completion with every member that vendors of OpenAI's API answer with. */

const REASONED = {
  reasoning_content: 'The tide.',
  reasoning: 'The tide.',
  reasoning_details: [
    { type: 'reasoning.text', text: 'The tide.', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'AAAA', format: 'openai-responses-v1', index: 1 },
    { type: 'reasoning.summary', summary: 'The tide.', index: 2 },
  ],
}

const annotations = [
  { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 } },
  { type: 'file_citation', file_citation: { file_id: 'f' } },
]
const toolCall = { id: 'call_1', type: 'function', function: { name: CALL.name, arguments: JSON.stringify(ARGS) } }
const chatUsage = {
  ...{ prompt_tokens: 20, completion_tokens: 9, total_tokens: 29, cost: 0.1 },
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 6, audio_tokens: null },
  completion_tokens_details: { reasoning_tokens: 3, audio_tokens: null, accepted_prediction_tokens: null },
}
const chat = (object: string, choices: object[], more: object = {}) => ({
  ...{ id: 'c', object, created: 1, model: 'm', choices, system_fingerprint: null, service_tier: null, ...more },
})

export const chatAnswer = {
  whole: chat(
    'chat.completion',
    [
      {
        ...{ index: 0, finish_reason: 'tool_calls', logprobs: null },
        message: {
          role: 'assistant',
          content: TEXT,
          refusal: null,
          audio: null,
          annotations,
          tool_calls: [toolCall],
          ...REASONED,
        },
      },
    ],
    { usage: chatUsage },
  ),
  events: chatChunks(),
}

function chatChunks() {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    chat('chat.completion.chunk', [{ index: 0, delta, finish_reason, logprobs: null }], { usage: null })
  return [
    chunk({ role: 'assistant', content: '', refusal: null }),
    chunk({ content: null, ...REASONED }),
    ...[...TEXT].map((content) => chunk({ content })),
    chunk({ annotations, of_next_year: { a: 1 } }),
    chunk({ tool_calls: [{ index: 0, ...toolCall, function: { name: CALL.name, arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: toolCall.function.arguments } }] }),
    chunk({}, 'tool_calls'),
    // The usage comes behind the finish reason, and once more.
    chat('chat.completion.chunk', [], { usage: { ...chatUsage, completion_tokens: 1, total_tokens: 21 } }),
    chat('chat.completion.chunk', [], { usage: chatUsage }),
  ]
}
