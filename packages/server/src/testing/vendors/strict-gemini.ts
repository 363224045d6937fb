import {
  type Fields,
  fields,
  firstOf,
  list,
  type StrictVendor,
  sseOf,
  type Thinking,
  trickle,
  turnsComplaint,
  type VendorAnswer,
} from './strict-vendor.ts'

const MODEL = 'gemini-3-pro-preview'

export const strictGemini: StrictVendor = {
  name: "Google's Gemini",
  type: 24,
  model: MODEL,
  isStream: (path) => path.endsWith(':streamGenerateContent'),
  complaint({ contents, tools, systemInstruction }, signed) {
    const turns = list(contents).map(fields)
    return firstOf(
      turnsComplaint(
        turns.map(({ role }) => role),
        ['user', 'model'],
      ),
      systemInstruction !== undefined &&
        list(fields(systemInstruction).parts).length === 0 &&
        'empty system instruction',
      ...turns.map(({ parts }) => (list(parts).length === 0 ? 'contents.parts must not be empty' : undefined)),
      ...turns.flatMap(({ parts }) => list(parts).map(fields).map(partComplaint)),
      ...turns.map((turn, index) => responsesComplaint(turn, turns[index + 1])),
      ...turns.map((turn) => signatureComplaint(turn, signed)),
      ...list(tools).flatMap((tool) => list(fields(tool).functionDeclarations).map(declarationComplaint)),
    )
  },
  whole: (answer) => ({ ...piece(partsOf(answer), answer), responseId: responseId(answer) }),
  stream(answer) {
    const { thinking, text = '' } = answer
    const pieces = [
      ...trickle(thinking?.text ?? '').map((thought) => piece([{ text: thought, thought: true }])),
      ...trickle(text).map((word) => piece([{ text: word }])),
      ...callParts(answer).map((part) => piece([part])),
      piece([{ text: '' }], answer),
    ]
    return sseOf(pieces.map((one) => ({ ...one, responseId: responseId(answer) })))
  },
}

/** Google's own schema: these fields and no others. */
const WORDS = new Set(
  (
    'type format title description nullable enum maxItems minItems properties required minProperties maxProperties ' +
    'minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum'
  ).split(' '),
)

function schemaComplaint(schema: unknown): string | undefined {
  const own = fields(schema)
  const unknown = Object.keys(own).find((word) => !WORDS.has(word))
  if (unknown !== undefined) return `Unknown name "${unknown}" in a schema`
  if (Array.isArray(own.type)) return 'Proto field is not repeating: type'
  const inner = [...Object.values(fields(own.properties)), ...list(own.anyOf), ...(own.items ? [own.items] : [])]
  return firstOf(...inner.map(schemaComplaint))
}

function declarationComplaint(declaration: unknown) {
  const { name, parameters, parametersJsonSchema } = fields(declaration)
  if (typeof name !== 'string' || !/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(name)) return `Invalid function name ${name}`
  if (parametersJsonSchema !== undefined || parameters === undefined) return undefined
  const isEmpty = Object.keys(fields(fields(parameters).properties)).length === 0
  return isEmpty ? 'should be non-empty for OBJECT type' : schemaComplaint(parameters)
}

function partComplaint(part: Fields) {
  if (part.functionResponse !== undefined && typeof fields(part.functionResponse).response !== 'object') {
    return 'functionResponse.response must be a struct'
  }
  return Object.keys(part).length === 0 ? 'required oneof field data must have one initialized field' : undefined
}

const namesOf = (turn: Fields | undefined, member: string) =>
  list(turn?.parts).flatMap((part) => {
    const own = fields(part)[member]
    return own === undefined ? [] : [String(fields(own).name)]
  })

function responsesComplaint(turn: Fields, next: Fields | undefined) {
  const calls = namesOf(turn, 'functionCall')
  if (calls.length === 0 || next === undefined) return undefined
  const responses = namesOf(next, 'functionResponse')
  return calls.join() === responses.join()
    ? undefined
    : `the number and names of function responses must equal the calls: ${calls.join()} / ${responses.join()}`
}

/** The first call of a turn must have a signature, its own or the value that skips the check. */
function signatureComplaint({ parts }: Fields, signed: Thinking | undefined) {
  const first = list(parts)
    .map(fields)
    .find(({ functionCall }) => functionCall !== undefined)
  if (first === undefined) return undefined
  const known = [signed?.signature, 'skip_thought_signature_validator']
  return known.includes(String(first.thoughtSignature)) ? undefined : 'Function call is missing a thought_signature'
}

const callParts = ({ thinking, calls = [] }: VendorAnswer) =>
  calls.map(({ name, args }, index) => ({
    functionCall: { name, args },
    ...(index === 0 ? { thoughtSignature: thinking?.signature } : {}),
  }))

const partsOf = (answer: VendorAnswer): object[] => [
  ...(answer.thinking === undefined ? [] : [{ text: answer.thinking.text, thought: true }]),
  ...(answer.text === undefined ? [] : [{ text: answer.text }]),
  ...callParts(answer),
]

const piece = (parts: object[], ended?: VendorAnswer) => ({
  candidates: [
    { content: { parts, role: 'model' }, index: 0, ...(ended === undefined ? {} : { finishReason: 'STOP' }) },
  ],
  ...(ended === undefined ? {} : { usageMetadata: usageOf(ended) }),
  modelVersion: MODEL,
})

const responseId = ({ id = 'strict' }: VendorAnswer) => id

const usageOf = ({ usage: { input, cached, output, thought } }: VendorAnswer) => ({
  promptTokenCount: input,
  cachedContentTokenCount: cached,
  candidatesTokenCount: output - thought,
  thoughtsTokenCount: thought,
  totalTokenCount: input + output,
})
