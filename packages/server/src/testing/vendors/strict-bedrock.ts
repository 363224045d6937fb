import { EventStreamCodec } from '@smithy/eventstream-codec'
import { strictAnthropic } from './strict-anthropic.ts'
import {
  type Fields,
  fields,
  firstOf,
  list,
  type StrictVendor,
  type Thinking,
  trickle,
  turnsComplaint,
  type VendorAnswer,
} from './strict-vendor.ts'

export const strictBedrock: StrictVendor = {
  name: "Amazon's Bedrock",
  type: 33,
  model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  config: { ak: 'AKIDEXAMPLE', sk: 'secret', region: 'us-east-1' },
  isStream: (path) => path.endsWith('/converse-stream'),
  dialectAt: (path) => (/\/invoke(-with-response-stream)?$/.test(path) ? messages : undefined),
  complaint({ messages, toolConfig }, signed) {
    const turns = list(messages).map(fields)
    const uses = turns.flatMap(({ content }) => membersOf(content, 'toolUse'))
    return firstOf(
      turnsComplaint(
        turns.map(({ role }) => role),
        ['user', 'assistant'],
      ),
      uses.length > 0 && toolConfig === undefined && 'The toolConfig field must be defined when using toolUse blocks',
      ...turns.flatMap(({ content }) => list(content).map((block) => blockComplaint(fields(block), signed))),
      ...turns.map((turn, index) => resultsComplaint(turn, turns[index + 1])),
      ...list(fields(toolConfig).tools).map((tool) => specComplaint(fields(fields(tool).toolSpec))),
    )
  },
  whole: (answer) => ({
    output: { message: { role: 'assistant', content: contentOf(answer) } },
    stopReason: stopReason(answer),
    usage: usageOf(answer),
    metrics: { latencyMs: 1 },
  }),
  stream: (answer) => ({
    type: 'application/vnd.amazon.eventstream',
    bytes: Buffer.concat(
      [
        message('messageStart', { role: 'assistant' }),
        contentOf(answer).map(blockEvents),
        message('messageStop', { stopReason: stopReason(answer) }),
        message('metadata', { usage: usageOf(answer), metrics: { latencyMs: 1 } }),
      ].flat(3),
    ),
  }),
}

/** Claude's own dialect, by `invoke`: the version in the body, the model and whether to stream in the URL. */
const messages: ReturnType<NonNullable<StrictVendor['dialectAt']>> = {
  isStream: (path) => path.endsWith('/invoke-with-response-stream'),
  complaint: ({ anthropic_version, ...body }, signed) =>
    firstOf(
      anthropic_version !== 'bedrock-2023-05-31' && 'anthropic_version: Field required',
      'model' in body && 'model: Extra inputs are not permitted',
      'stream' in body && 'stream: Extra inputs are not permitted',
      strictAnthropic.complaint(body, signed),
    ),
  whole: strictAnthropic.whole,
  stream: (answer) => ({
    type: 'application/vnd.amazon.eventstream',
    bytes: Buffer.concat(
      [...new TextDecoder().decode(strictAnthropic.stream(answer).bytes).matchAll(/^data: (.*)$/gm)].map(
        ({ 1: data = '' }) => message('chunk', { bytes: Buffer.from(data).toString('base64') }),
      ),
    ),
  }),
}

const membersOf = (content: unknown, member: string) =>
  list(content).flatMap((block) => {
    const own = fields(block)[member]
    return own === undefined ? [] : [fields(own)]
  })

function blockComplaint(block: Fields, signed: Thinking | undefined) {
  if (block.text === '') return 'The text field in the ContentBlock object is blank'
  const id = fields(block.toolUse).toolUseId
  if (id !== undefined && !/^[a-zA-Z0-9_-]{1,64}$/.test(String(id))) return `toolUseId: ${String(id)}`
  const { reasoningText } = fields(block.reasoningContent)
  if (reasoningText === undefined) return undefined
  const { text, signature } = fields(reasoningText)
  return text === signed?.text && signature === signed?.signature ? undefined : 'reasoning cannot be modified'
}

function resultsComplaint({ content }: Fields, next: Fields | undefined) {
  const calls = membersOf(content, 'toolUse').map(({ toolUseId }) => toolUseId)
  if (calls.length === 0 || next === undefined) return undefined
  const results = membersOf(next.content, 'toolResult').map(({ toolUseId }) => toolUseId)
  return calls.every((id) => results.includes(id)) && results.length === calls.length
    ? undefined
    : `Expected toolResult blocks for: ${calls.join()}; got ${results.join()}`
}

const specComplaint = ({ name, inputSchema }: Fields) => {
  if (name === undefined) return undefined
  return fields(fields(inputSchema).json).type === 'object' ? undefined : 'inputSchema.json.type must be object'
}

const stopReason = ({ calls = [] }: VendorAnswer) => (calls.length > 0 ? 'tool_use' : 'end_turn')

const contentOf = ({ thinking, text, calls = [] }: VendorAnswer): Fields[] => [
  ...(thinking === undefined ? [] : [{ reasoningContent: { reasoningText: thinking } }]),
  ...(text === undefined ? [] : [{ text }]),
  ...calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } })),
]

const usageOf = ({ usage: { input, cached, output } }: VendorAnswer) => ({
  inputTokens: input - cached,
  outputTokens: output,
  totalTokens: input + output,
  cacheReadInputTokens: cached,
  cacheWriteInputTokens: 0,
})

const codec = new EventStreamCodec(
  (bytes) => new TextDecoder().decode(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes),
  (text) => new TextEncoder().encode(text),
)

const message = (type: string, body: object) =>
  codec.encode({
    headers: {
      ':message-type': { type: 'string', value: 'event' },
      ':event-type': { type: 'string', value: type },
      ':content-type': { type: 'string', value: 'application/json' },
    },
    body: new TextEncoder().encode(JSON.stringify(body)),
  })

function blockEvents(block: Fields, contentBlockIndex: number) {
  const delta = (own: object) => message('contentBlockDelta', { contentBlockIndex, delta: own })
  const stop = message('contentBlockStop', { contentBlockIndex })
  const { toolUse, reasoningContent, text } = block
  if (toolUse !== undefined) {
    const { input, ...start } = fields(toolUse)
    const pieces = trickle(JSON.stringify(input)).map((piece) => delta({ toolUse: { input: piece } }))
    return [message('contentBlockStart', { contentBlockIndex, start: { toolUse: start } }), ...pieces, stop]
  }
  if (reasoningContent === undefined) return [...trickle(String(text)).map((word) => delta({ text: word })), stop]
  const { text: thought, signature } = fields(fields(reasoningContent).reasoningText)
  const words = trickle(String(thought)).map((word) => delta({ reasoningContent: { text: word } }))
  return [...words, delta({ reasoningContent: { signature } }), stop]
}
