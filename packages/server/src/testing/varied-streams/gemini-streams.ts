import { data, NONE, TWO, text, type VariedStream } from './varied-stream.ts'

export const GEMINI = { type: 24, model: 'gemini' }

const COUNTED = { promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 }
const piece = (parts: object[], more: object = {}, counted: object | undefined = COUNTED) =>
  data({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
    ...(counted && { usageMetadata: counted }),
    modelVersion: 'm',
    responseId: 'r',
  })

export const GEMINI_STREAMS: Record<string, VariedStream> = {
  'parallel calls of Gemini, one without arguments': {
    ...GEMINI,
    answer: text(
      piece([{ functionCall: { name: 'tide', args: { port: 'Kiel' } } }, { functionCall: { name: 'now' } }]) +
        piece([{ text: '' }], { finishReason: 'STOP' }),
    ),
    expected: { calls: [...TWO.slice(0, 1), ...NONE], finish: 'tool_calls' },
  },
  'thoughts with signatures': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'The moon', thought: true }]) +
        piece([{ text: 'Tide' }]) +
        piece(
          [{ text: '', thoughtSignature: 'c2ln' }],
          { finishReason: 'STOP' },
          { ...COUNTED, candidatesTokenCount: 4, thoughtsTokenCount: 3 },
        ),
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
  },
  'a signed call after text': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'Let me see.' }]) +
        piece([{ functionCall: { name: 'now', args: {} }, thoughtSignature: 'c2ln' }], { finishReason: 'STOP' }),
    ),
    expected: { text: 'Let me see.', calls: NONE, finish: 'tool_calls' },
  },
  'usage in the last chunk alone': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'Ti' }], {}, undefined).replace(/,"usageMetadata":\{[^}]*\}/, '') +
        piece([{ text: 'de' }], { finishReason: 'STOP' }),
    ),
    expected: { text: 'Tide' },
  },
  'code that ran at Google': {
    ...GEMINI,
    answer: text(
      piece([{ executableCode: { language: 'PYTHON', code: 'print(1)' } }]) +
        piece([{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }]) +
        piece([{ text: 'Tide' }], { finishReason: 'STOP' }),
    ),
    expected: { text: 'Tide' },
  },
  'sources of a search': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'Tide' }], {
        finishReason: 'STOP',
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
          groundingSupports: [{ segment: { startIndex: 0, endIndex: 4, text: 'Tide' }, groundingChunkIndices: [0] }],
        },
      }),
    ),
    expected: { text: 'Tide' },
  },
  'an answer cut off by its limit': {
    ...GEMINI,
    answer: text(piece([{ text: 'Ti' }]) + piece([{ text: 'de' }], { finishReason: 'MAX_TOKENS' })),
    expected: { text: 'Tide', finish: 'length' },
  },
  'a candidate without content at the end': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'Tide' }]) + data({ candidates: [{ index: 0, finishReason: 'STOP' }], usageMetadata: COUNTED }),
    ),
    expected: { text: 'Tide' },
  },
}
