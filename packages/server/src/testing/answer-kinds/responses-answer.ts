import { ARGS, CALL, kindsIn, TEXT } from './library-kinds.ts'

/* A response of OpenAI's API with every kind of item, annotation and event. */

const RESPONSES = 'openai/resources/responses/responses.d.ts'
export const ITEMS = kindsIn(RESPONSES, 'ResponseOutputItem')
export const EVENTS = kindsIn(RESPONSES, 'ResponseStreamEvent')

const ANNOTATIONS = [
  { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 },
  { type: 'file_citation', file_id: 'f', filename: 'a.pdf', index: 1 },
  { type: 'container_file_citation', container_id: 'c', file_id: 'g', filename: 'b.csv', start_index: 0, end_index: 4 },
  { type: 'file_path', file_id: 'h', index: 1 },
]

const RAN = [{ stdout: 'tide', stderr: '', outcome: { type: 'exit', exit_code: 0 } }]

/** Calls of custom tools are those of the caller, too; here nobody offered one. */
const item = (type: string): Record<string, unknown> => {
  const own = { id: `${type}_1`, type, status: 'completed' }
  if (type === 'message') {
    return {
      ...own,
      role: 'assistant',
      content: [{ type: 'output_text', text: TEXT, annotations: ANNOTATIONS, logprobs: [] }],
    }
  }
  if (type === 'reasoning')
    return { ...own, summary: [{ type: 'summary_text', text: 'The tide.' }], encrypted_content: 'gAAA' }
  if (type === 'function_call') return { ...own, call_id: 'call_1', name: CALL.name, arguments: JSON.stringify(ARGS) }
  if (type === 'shell_call') return { ...own, call_id: 'call_8', action: { commands: ['tide'] } }
  if (type === 'shell_call_output') return { ...own, call_id: 'call_8', output: RAN }
  return {
    ...own,
    call_id: 'call_9',
    action: { type: 'search' },
    code: 'tide()',
    outputs: [],
    tools: [],
    output: [],
    result: null,
  }
}

const OUTPUT = ITEMS.filter((kind) => kind !== 'custom_tool_call').map(item)

const responseUsage = {
  ...{ input_tokens: 20, output_tokens: 9, total_tokens: 29 },
  ...{
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 6 },
    output_tokens_details: { reasoning_tokens: 3 },
  },
}

const response = (status: string, output: object[]) => ({
  ...{
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status,
    output,
    error: null,
    incomplete_details: null,
  },
  ...{
    parallel_tool_calls: true,
    tools: [],
    tool_choice: 'auto',
    usage: status === 'completed' ? responseUsage : null,
  },
})

/** Events that have a place of their own below, or end a stream. */
const PLACED =
  /^(error|response\.(created|in_progress|queued|completed|failed|incomplete|output_|content_|function_call_|custom_|reasoning_|refusal))/

/** Items while they are open. */
const EMPTY: Record<string, object> = {
  message: { content: [] },
  reasoning: { summary: [] },
  function_call: { arguments: '' },
  code_interpreter_call: { code: '' },
  shell_call: { action: { commands: [] } },
  shell_call_output: { output: [] },
}

/** Events of hosted shells, whose deltas have forms of their own. */
const OF_SHELLS: Record<string, object> = {
  'response.shell_call_command.added': { command: '', command_index: 0 },
  'response.shell_call_command.delta': { delta: 'tide', command_index: 0 },
  'response.shell_call_command.done': { command: 'tide', command_index: 0 },
  'response.shell_call_output_content.delta': { delta: { stdout: 'tide' }, command_index: 0 },
  'response.shell_call_output_content.done': { output: RAN, command_index: 0 },
}

export const responsesAnswer = { whole: response('completed', OUTPUT), events: responseEvents() }

function responseEvents() {
  const rest = EVENTS.filter((type) => !PLACED.test(type))
  const isOf = ({ type: kind }: Record<string, unknown>, type: string) =>
    type.startsWith(`response.${kind}.`) ||
    (type.startsWith(`response.${kind}_`) && !(kind === 'shell_call' && type.includes('output')))
  const items = OUTPUT.flatMap((own, output_index) => {
    const place = { output_index, item_id: own.id, content_index: 0, summary_index: 0 }
    const tool = { delta: 'tide', code: 'tide', arguments: '{}', partial_image_b64: 'AAAA', partial_image_index: 0 }
    return [
      { type: 'response.output_item.added', output_index, item: { ...own, ...EMPTY[String(own.type)] } },
      ...growthOf(own).map((event) => ({ ...place, ...event })),
      ...rest.filter((type) => isOf(own, type)).map((type) => ({ ...place, ...(OF_SHELLS[type] ?? tool), type })),
      { type: 'response.output_item.done', output_index, item: own },
    ]
  })
  const unplaced = rest
    .filter((type) => !OUTPUT.some((own) => isOf(own, type)))
    .map((type) => ({ type, delta: 'AAAA' }))
  return [
    { type: 'response.created', response: response('in_progress', []) },
    { type: 'response.queued', response: response('queued', []) },
    { type: 'response.in_progress', response: response('in_progress', []) },
    ...unplaced,
    ...items,
    { type: 'response.completed', response: response('completed', OUTPUT) },
  ].map((event, sequence_number) => ({ ...event, sequence_number }))
}

function growthOf(own: Record<string, unknown>): Record<string, unknown>[] {
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
  if (own.type === 'message') {
    return [
      { type: 'response.content_part.added', part },
      ...[...TEXT].map((delta) => ({ type: 'response.output_text.delta', delta, logprobs: [] })),
      ...ANNOTATIONS.map((annotation, annotation_index) => ({
        type: 'response.output_text.annotation.added',
        annotation,
        annotation_index,
      })),
      { type: 'response.output_text.done', text: TEXT, logprobs: [] },
      { type: 'response.content_part.done', part: { ...part, text: TEXT, annotations: ANNOTATIONS } },
    ]
  }
  if (own.type === 'reasoning') {
    const summary = { type: 'summary_text', text: '' }
    return [
      { type: 'response.reasoning_summary_part.added', part: summary },
      { type: 'response.reasoning_summary_text.delta', delta: 'The tide.' },
      { type: 'response.reasoning_summary_text.done', text: 'The tide.' },
      { type: 'response.reasoning_summary_part.done', part: { ...summary, text: 'The tide.' } },
    ]
  }
  if (own.type !== 'function_call') return []
  const json = JSON.stringify(ARGS)
  return [
    ...[json.slice(0, 7), json.slice(7)].map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    { type: 'response.function_call_arguments.done', arguments: json, name: CALL.name },
  ]
}
