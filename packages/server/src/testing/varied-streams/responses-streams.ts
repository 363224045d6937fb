import { named, TWO, text, type VariedStream } from './varied-stream.ts'

export const CODEX = { type: 1, model: 'gpt-5.1-codex' }

const response = (status: string, output: object[], more: object = {}) => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status, output },
  usage: { input_tokens: 12, output_tokens: 7, total_tokens: 19 },
  ...more,
})
const responds = (
  events: { type: string; [member: string]: unknown }[],
  output: object[],
  status = 'completed',
  more: object = {},
) =>
  text(
    named({ type: 'response.created', response: { ...response('in_progress', []), usage: null } }, ...events, {
      type: `response.${status}`,
      response: response(status, output, more),
    }),
  )
const item = (words: string) => ({
  ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: words, annotations: [] }],
})
const spoken = (words: string, output_index = 0) => [
  {
    type: 'response.output_item.added',
    output_index,
    item: { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] },
  },
  {
    type: 'response.content_part.added',
    item_id: 'msg_1',
    output_index,
    content_index: 0,
    part: { type: 'output_text', text: '', annotations: [] },
  },
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index, content_index: 0, delta: words },
  { type: 'response.output_item.done', output_index, item: item(words) },
]

export const RESPONSE_STREAMS: Record<string, VariedStream> = {
  'a summary of reasoning': {
    ...CODEX,
    answer: responds(
      [
        { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
        {
          type: 'response.reasoning_summary_part.added',
          item_id: 'rs_1',
          output_index: 0,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        },
        {
          type: 'response.reasoning_summary_text.delta',
          item_id: 'rs_1',
          output_index: 0,
          summary_index: 0,
          delta: 'The moon',
        },
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: 'The moon' }],
            encrypted_content: 'ZW5j',
          },
        },
        ...spoken('Tide', 1),
      ],
      [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'The moon' }],
          encrypted_content: 'ZW5j',
        },
        item('Tide'),
      ],
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
  },
  'calls whose arguments come whole': {
    ...CODEX,
    answer: responds(
      ['Kiel', 'Brest'].flatMap((port, output_index) => [
        {
          type: 'response.output_item.added',
          output_index,
          item: { type: 'function_call', id: `fc_${port}`, call_id: `call_${port}`, name: 'tide', arguments: '' },
        },
        {
          type: 'response.output_item.done',
          output_index,
          item: {
            type: 'function_call',
            id: `fc_${port}`,
            call_id: `call_${port}`,
            name: 'tide',
            arguments: `{"port":"${port}"}`,
          },
        },
      ]),
      ['Kiel', 'Brest'].map((port) => ({
        type: 'function_call',
        id: `fc_${port}`,
        call_id: `call_${port}`,
        name: 'tide',
        arguments: `{"port":"${port}"}`,
      })),
    ),
    expected: { calls: TWO, finish: 'tool_calls' },
  },
  'a response cut off by its limit': {
    ...CODEX,
    answer: responds(spoken('Tide'), [item('Tide')], 'incomplete', {
      incomplete_details: { reason: 'max_output_tokens' },
    }),
    expected: { text: 'Tide', finish: 'length' },
  },
  'a refusal inside a response': {
    ...CODEX,
    answer: responds(
      [
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
        },
        {
          type: 'response.content_part.added',
          ...{ item_id: 'msg_1', output_index: 0, content_index: 0, part: { type: 'refusal', refusal: '' } },
        },
        { type: 'response.refusal.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'I cannot' },
        { type: 'response.refusal.done', item_id: 'msg_1', output_index: 0, content_index: 0, refusal: 'I cannot' },
      ],
      [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'refusal', refusal: 'I cannot' }],
        },
      ],
    ),
    expected: { text: 'I cannot' },
  },
}
