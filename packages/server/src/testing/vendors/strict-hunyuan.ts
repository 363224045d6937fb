import {
  type Fields,
  fields,
  firstOf,
  list,
  type StrictVendor,
  sseOf,
  trickle,
  type VendorAnswer,
} from './strict-vendor.ts'

/** Tencent's Hunyuan: capitalised names, a schema as text, question and answer alternating. */
export const strictHunyuan: StrictVendor = {
  name: "Tencent's Hunyuan",
  type: 23,
  model: 'hunyuan-turbos-latest',
  isStream: (_, { Stream }) => Stream === true,
  complaint(body) {
    const { Messages, Tools, Temperature, TopP } = body
    const all = list(Messages).map(fields)
    const turns = all.filter(({ Role }) => Role !== 'system')
    return firstOf(
      Object.keys(body).some((name) => !PARAMETERS.has(name)) && `UnknownParameter: ${Object.keys(body).join()}`,
      typeof Temperature === 'number' && (Temperature < 0 || Temperature > 2) && 'Temperature: range is [0.0, 2.0]',
      typeof TopP === 'number' && (TopP < 0 || TopP > 1) && 'TopP: range is [0.0, 1.0]',
      all.slice(1).some(({ Role }) => Role === 'system') && 'the system message must be the first',
      orderComplaint(turns.map(({ Role }) => String(Role))),
      ...all.map(messageComplaint),
      ...all.map((message, index) => answersComplaint(message, all.slice(index + 1))),
      ...list(Tools).map(toolComplaint),
    )
  },
  whole: (answer) => ({ Response: { ...piece(answer, { Message: messageOf(answer) }, true), RequestId: 'r' } }),
  stream(answer) {
    const { thinking, text = '', calls = [] } = answer
    const delta = (own: Fields) => piece(answer, { Delta: { Role: 'assistant', Content: '', ...own } }, false)
    return sseOf([
      ...trickle(thinking?.text ?? '').map((ReasoningContent) => delta({ ReasoningContent })),
      ...trickle(text).map((Content) => delta({ Content })),
      ...calls.flatMap(({ id, name, args }, Index) => [
        delta({ ToolCalls: [{ Id: id, Type: 'function', Index, Function: { Name: name, Arguments: '' } }] }),
        ...trickle(JSON.stringify(args)).map((Arguments) =>
          delta({ ToolCalls: [{ Id: id, Type: 'function', Index, Function: { Name: name, Arguments } }] }),
        ),
      ]),
      piece(answer, { Delta: { Role: 'assistant', Content: '' } }, true),
    ])
  },
}

const PARAMETERS = new Set(
  (
    'Model Messages Stream StreamModeration TopP Temperature EnableEnhancement Tools ToolChoice CustomTool SearchInfo ' +
    'Citation EnableSpeedSearch EnableMultimedia EnableDeepSearch Seed ForceSearchEnhancement Stop EnableThinking'
  ).split(' '),
)

/** Questions and answers alternate, a question first and last; several results may follow each other. */
function orderComplaint(roles: readonly string[]) {
  const isAsked = (role: string | undefined) => role === 'user' || role === 'tool'
  const isFine = roles.every((role, index) => {
    const before = roles[index - 1]
    if (role === 'tool') return before === 'tool' || before === 'assistant'
    return role === 'user' ? index === 0 || before === 'assistant' : isAsked(before)
  })
  return isFine && roles[0] === 'user' && isAsked(roles.at(-1)) ? undefined : `messages must alternate: ${roles.join()}`
}

function messageComplaint({ Role, Content, Contents, ToolCalls, ToolCallId }: Fields) {
  if (Content === undefined && Contents === undefined) return 'Content and Contents cannot both be empty'
  if (Role !== 'assistant' && Content === '') return 'Content cannot be empty'
  if (Role === 'assistant' && Content === '' && list(ToolCalls).length === 0) return 'Content cannot be empty'
  return Role === 'tool' && typeof ToolCallId !== 'string' ? 'ToolCallId is missing' : undefined
}

function answersComplaint({ ToolCalls }: Fields, rest: readonly Fields[]) {
  const calls = list(ToolCalls).map((call) => fields(call).Id)
  const answers = rest.slice(0, calls.length).map(({ ToolCallId }) => ToolCallId)
  return calls.every((id) => answers.includes(id)) ? undefined : 'a tool call has no result'
}

function toolComplaint(tool: unknown) {
  const { Type, Function: own } = fields(tool)
  const { Name, Parameters } = fields(own)
  if (Type !== 'function' || !/^[\w-]{1,64}$/.test(String(Name))) return `Tool.Function.Name: ${String(Name)}`
  return typeof Parameters === 'string' && fields(JSON.parse(Parameters)).type === 'object'
    ? undefined
    : 'Tool.Function.Parameters: must be a JSON schema as a string'
}

const piece = ({ usage: { input, output }, calls = [] }: VendorAnswer, choice: Fields, ended: boolean) => ({
  ...{ Note: 'strict', Created: 1_767_225_600, Id: 'strict' },
  Choices: [{ Index: 0, ...choice, FinishReason: ended ? (calls.length > 0 ? 'tool_calls' : 'stop') : '' }],
  Usage: { PromptTokens: input, CompletionTokens: output, TotalTokens: input + output },
})

const messageOf = ({ thinking, text = '', calls = [] }: VendorAnswer): Fields => ({
  ...{ Role: 'assistant', Content: text },
  ...(thinking === undefined ? {} : { ReasoningContent: thinking.text }),
  ...(calls.length === 0
    ? {}
    : {
        ToolCalls: calls.map(({ id, name, args }, Index) => ({
          ...{ Id: id, Type: 'function', Index, Function: { Name: name, Arguments: JSON.stringify(args) } },
        })),
      }),
})
