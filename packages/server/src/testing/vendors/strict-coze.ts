import { type Fields, fields, firstOf, list, type StrictVendor, trickle } from './strict-vendor.ts'

/** A bot at Coze: it has its own tools, and only chats. */
export const strictCoze: StrictVendor = {
  name: 'Coze',
  type: 34,
  model: 'bot-7400000000000000001',
  config: { user_id: 'somebody' },
  calls: 'none',
  isStream: () => true,
  complaint(body) {
    const { bot_id, user_id, stream, additional_messages, auto_save_history } = body
    const all = list(additional_messages).map(fields)
    return firstOf(
      !/^\d+$/.test(String(bot_id)) && 'Invalid parameter: bot_id',
      (typeof user_id !== 'string' || user_id === '') && 'Missing required parameter: user_id',
      stream !== true && auto_save_history === false && 'auto_save_history must be true without a stream',
      Object.keys(body).some((name) => !PARAMETERS.has(name)) && `Unknown parameter: ${Object.keys(body).join()}`,
      all.length === 0 && 'Invalid parameter: additional_messages',
      all.at(-1)?.role !== 'user' && 'the last message must be the user’s',
      ...all.map(messageComplaint),
    )
  },
  whole: () => ({ code: 4000, msg: 'Only streams are answered here' }),
  stream(answer) {
    const { thinking, text = '', usage } = answer
    const chat = (status: string) => ({ ...head, bot_id: '74', last_error: { code: 0, msg: '' }, status })
    const delta = (own: Fields) => ({
      ...head,
      id: 'm',
      role: 'assistant',
      type: 'answer',
      content_type: 'text',
      ...own,
    })
    const count = { token_count: usage.input + usage.output, input_count: usage.input, output_count: usage.output }
    return events([
      ['conversation.chat.created', chat('created')],
      ['conversation.chat.in_progress', chat('in_progress')],
      ...trickle(thinking?.text ?? '').map(
        deltaEvent((reasoning_content) => delta({ content: '', reasoning_content })),
      ),
      ...trickle(text).map(deltaEvent((content) => delta({ content }))),
      ['conversation.message.completed', delta({ content: text })],
      ['conversation.chat.completed', { ...chat('completed'), usage: count }],
      ['done', '[DONE]'],
    ])
  },
}

const PARAMETERS = new Set(
  (
    'bot_id user_id additional_messages stream custom_variables auto_save_history meta_data extra_params ' +
    'shortcut_command parameters enable_card'
  ).split(' '),
)

function messageComplaint({ role, type, content, content_type }: Fields) {
  if (role !== 'user' && role !== 'assistant') return `Invalid parameter: role ${String(role)}`
  if (!['question', 'answer', 'function_call', 'tool_response'].includes(String(type))) return 'Invalid parameter: type'
  if (!['text', 'object_string'].includes(String(content_type))) return 'Invalid parameter: content_type'
  return typeof content === 'string' && content !== '' ? undefined : 'Invalid parameter: content is empty'
}

const head = { id: '75011', conversation_id: '75010' }

const deltaEvent =
  (of: (text: string) => Fields) =>
  (text: string): [string, Fields] => ['conversation.message.delta', of(text)]

const events = (all: readonly [string, Fields | string][]) => ({
  type: 'text/event-stream',
  bytes: new TextEncoder().encode(
    all
      .map(([name, data]) => `event:${name}\ndata:${typeof data === 'string' ? `"${data}"` : JSON.stringify(data)}\n\n`)
      .join(''),
  ),
})
