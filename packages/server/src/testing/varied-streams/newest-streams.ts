import { CHAT, USED } from './chat-streams.ts'
import { CLAUDE } from './claude-streams.ts'
import { GEMINI } from './gemini-streams.ts'
import { CODEX } from './responses-streams.ts'
import { DONE, data, named, TWO, text, type VariedStream } from './varied-stream.ts'

/* What vendors began to send this year: other models and tools that work in the middle, and events of hosts beside the vendors' own. */

type Event = { type: string; [member: string]: unknown }

const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
const starts = (usage: object): Event => ({ type: 'message_start', message: { ...head, usage } })
const block = (index: number, content_block: object, ...deltas: object[]): Event[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const says = (index: number, words: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: words })
const closes = (usage: object, more: object = {}): Event[] => [
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null },
    usage,
    ...more,
  },
  { type: 'message_stop' },
]
const counted = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens })
const claude = (...events: Event[]) => text(named(...events))

const CLAUDE_NOW: Record<string, VariedStream> = {
  'a conversation summed up by Claude before the answer': {
    ...CLAUDE,
    answer: claude(
      starts({ ...counted(4, 3), cache_read_input_tokens: 6 }),
      ...block(
        0,
        { type: 'compaction', content: null },
        { type: 'compaction_delta', content: 'The tides so far.', encrypted_content: 'b3Bh' },
      ),
      { type: 'ping' },
      ...says(1, 'Tide'),
      ...closes(
        {
          ...counted(2, 4),
          cache_read_input_tokens: 0,
          iterations: [
            { type: 'compaction', ...counted(4, 3), cache_read_input_tokens: 6 },
            { type: 'message', ...counted(2, 4), cache_read_input_tokens: 0 },
          ],
        },
        { context_management: { applied_edits: [] } },
      ),
    ),
    expected: { text: 'Tide' },
    // The totals of Anthropic's own dialect leave the summary out.
    native: { surface: 'messages', expected: { text: 'Tide', input: 2, output: 4 } },
  },
  'a server of the caller that Anthropic asks, and code that it runs': {
    ...CLAUDE,
    answer: claude(
      starts(counted(12, 1)),
      ...block(
        0,
        { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'ask', server_name: 'tides', input: {} },
        { type: 'input_json_delta', partial_json: '{"port":"Kiel"}' },
      ),
      ...block(1, { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [] }),
      ...block(
        2,
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'bash_code_execution', input: {} },
        { type: 'input_json_delta', partial_json: '' },
        { type: 'input_json_delta', partial_json: '{"command":"date"}' },
      ),
      ...block(3, {
        type: 'bash_code_execution_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: { type: 'bash_code_execution_result', stdout: 'Noon', stderr: '', return_code: 0, content: [] },
      }),
      ...says(4, 'Tide'),
      ...closes(counted(12, 7)),
    ),
    expected: { text: 'Tide' },
  },
}

const COUNTED = { promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 }
const piece = (parts: object[], more: object = {}, usageMetadata: object = COUNTED) =>
  data({ candidates: [{ content: { role: 'model', parts }, ...more }], usageMetadata, responseId: 'r' })
const [kiel] = TWO

const GEMINI_NOW: Record<string, VariedStream> = {
  'sections that each have an end': {
    ...GEMINI,
    answer: text(
      piece([{ executableCode: { language: 'PYTHON', code: 'x' }, thought: true }]) +
        piece([{ executableCode: { language: 'PYTHON', code: 'x' } }], {
          finishReason: 'STOP',
          groundingMetadata: { groundingChunks: [{ retrievedContext: { text: 'Noon', fileSearchStore: 's/1' } }] },
        }) +
        piece([{ text: 'Ti' }]) +
        piece([{ text: 'de' }], {
          finishReason: 'STOP',
          groundingMetadata: {
            groundingChunks: [{ retrievedContext: { text: 'Noon', fileSearchStore: 's/1' } }],
            groundingSupports: [{ segment: { endIndex: 4, text: 'Tide' }, groundingChunkIndices: [1] }],
          },
        }),
    ),
    expected: { text: 'Tide' },
  },
  'thoughts that are counted before any word': {
    ...GEMINI,
    answer: text(
      piece(
        [{ text: 'The moon', thought: true }],
        {},
        { promptTokenCount: 12, thoughtsTokenCount: 3, totalTokenCount: 15 },
      ) +
        piece(
          [{ text: 'Tide' }],
          { finishReason: 'STOP' },
          { ...COUNTED, candidatesTokenCount: 4, thoughtsTokenCount: 3 },
        ),
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
  },
}

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  data({
    ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', provider: 'P' },
    choices: [{ index: 0, delta, finish_reason, native_finish_reason: finish_reason }],
    ...more,
  })

const CHAT_NOW: Record<string, VariedStream> = {
  'a first event without anything in it, and lists of no calls': {
    ...CHAT,
    answer: text(
      data({ choices: [], created: 0, id: '', model: '', object: '' }) +
        chunk({ role: 'assistant', content: '', reasoning_content: 'The ', tool_calls: [] }) +
        chunk({ content: '', reasoning_content: 'moon', tool_calls: [] }) +
        chunk({ content: 'Tide', reasoning_content: '', tool_calls: [] }, 'stop', { usage: USED }),
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
  },
  'a router at work before the first word, and its tools beside the usage': {
    ...CHAT,
    answer: text(
      ': OPENROUTER PROCESSING\n\n'.repeat(3) +
        chunk({ role: 'assistant', content: 'Tide' }) +
        chunk({ role: 'assistant', content: '' }, 'stop') +
        chunk({ role: 'assistant', content: '' }, 'stop', {
          service_tier: null,
          usage: { ...USED, cost: 0.004, server_tool_use_details: { tool_calls_requested: 1, tool_calls_executed: 1 } },
        }) +
        DONE,
    ),
    expected: { text: 'Tide' },
  },
  'a name of a tool with marks of the model': {
    ...CHAT,
    answer: text(
      chunk({
        tool_calls: [
          { index: 0, id: 'a', type: 'function', function: { name: 'tide<|channel|>commentary', arguments: '' } },
        ],
      }) +
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"port":"Kiel"}' } }] }) +
        chunk({}, 'tool_calls', { usage: USED }) +
        DONE,
    ),
    expected: { calls: kiel === undefined ? [] : [kiel], finish: 'tool_calls' },
  },
}

const response = (status: string, output: object[]) => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status, output },
  usage: status === 'completed' ? { input_tokens: 12, output_tokens: 7, total_tokens: 19 } : null,
})
const message = (id: string, words: string, phase: string) => ({
  ...{ type: 'message', id, role: 'assistant', status: 'completed', phase },
  content: [{ type: 'output_text', text: words, annotations: [] }],
})
const spoken = (output_index: number, words: string, phase: string): Event[] => {
  const id = `msg_${output_index}`
  const at = { item_id: id, output_index, content_index: 0 }
  const part = { type: 'output_text', text: '', annotations: [] }
  return [
    { type: 'response.output_item.added', output_index, item: { ...message(id, '', phase), content: [] } },
    { type: 'response.content_part.added', ...at, part },
    { type: 'response.output_text.delta', ...at, delta: words },
    { type: 'response.output_item.done', output_index, item: message(id, words, phase) },
  ]
}
const thought = { type: 'reasoning_text', text: 'The moon' }
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], content: [thought] }

const RESPONSES_NOW: Record<string, VariedStream> = {
  'a comment of the model between the work of its vendor’s tools': {
    ...CODEX,
    answer: text(
      named(
        { type: 'response.created', response: response('in_progress', []) },
        ...spoken(0, 'Ti', 'commentary'),
        {
          type: 'response.output_item.added',
          output_index: 1,
          item: { type: 'shell_call', id: 'sh_1', call_id: 'c', status: 'in_progress', action: { commands: [] } },
        },
        { type: 'response.shell_call_command.added', output_index: 1, command_index: 0, command: '' },
        { type: 'response.shell_call_command.delta', output_index: 1, command_index: 0, delta: 'ls' },
        { type: 'response.shell_call_command.done', output_index: 1, command_index: 0, command: 'ls' },
        {
          type: 'response.output_item.done',
          output_index: 1,
          item: { type: 'shell_call', id: 'sh_1', call_id: 'c', status: 'completed', action: { commands: ['ls'] } },
        },
        ...spoken(2, 'de', 'final_answer'),
        {
          type: 'response.completed',
          copilot_usage: { total_nano_aiu: 1 },
          response: response('completed', [
            message('msg_0', 'Ti', 'commentary'),
            message('msg_2', 'de', 'final_answer'),
          ]),
        },
      ),
    ),
    expected: { text: 'Tide' },
  },
  'reasoning that ends after the words': {
    ...CODEX,
    answer: text(
      [
        { type: 'response.created', response: response('in_progress', []) },
        { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, content: undefined } },
        {
          type: 'response.content_part.added',
          item_id: 'rs_1',
          output_index: 0,
          content_index: 0,
          part: { ...thought, text: '' },
        },
        {
          type: 'response.reasoning_text.delta',
          item_id: 'rs_1',
          output_index: 0,
          content_index: 0,
          delta: 'The moon',
        },
        ...spoken(1, 'Tide', 'final_answer'),
        { type: 'response.output_item.done', output_index: 0, item: reasoning },
        {
          type: 'response.completed',
          response: response('completed', [reasoning, message('msg_1', 'Tide', 'final_answer')]),
        },
      ]
        .map(data)
        .join(': PROCESSING\n\n') + DONE,
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
    // It is no summary there.
    native: { surface: 'responses', expected: { text: 'Tide' } },
  },
}

export const NEWEST_STREAMS: Record<string, VariedStream> = {
  ...CLAUDE_NOW,
  ...GEMINI_NOW,
  ...CHAT_NOW,
  ...RESPONSES_NOW,
}
