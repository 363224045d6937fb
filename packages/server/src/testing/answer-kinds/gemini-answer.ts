import { ARGS, CALL, TEXT } from './library-kinds.ts'

/* An answer of Google's API with every kind of part and reference. */

const PARTS = [
  { text: 'The tide.', thought: true },
  { toolCall: { id: 't', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['tide'] } } },
  { toolResponse: { id: 't', toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
  { executableCode: { language: 'PYTHON', code: 'tide()', id: 'x' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'noon', id: 'x' } },
  { text: TEXT.slice(0, 9), thoughtSignature: 'c2ln' },
  { text: TEXT.slice(9), speechMetadata: {}, partMetadata: { a: 1 } },
  { fileData: { fileUri: 'gs://a/b.png', mimeType: 'image/png' } },
  { functionCall: { id: 'fc_1', name: CALL.name, args: ARGS }, thoughtSignature: 'c2lnMg==' },
  { ofNextYear: { a: 1 } },
]

const GROUNDING = {
  citationMetadata: { citations: [{ uri: 'https://c.example', startIndex: 0, endIndex: 4 }] },
  groundingMetadata: {
    ...{ webSearchQueries: ['tide'], searchEntryPoint: { renderedContent: '<b>' }, retrievalMetadata: {} },
    groundingChunks: [
      { web: { uri: 'https://a.example', title: 'A' } },
      { retrievedContext: { title: 'B', text: 'x' } },
      { maps: { uri: 'https://m.example', title: 'M' } },
      { image: { sourceUri: 'https://i.example' } },
    ],
    groundingSupports: [{ segment: { endIndex: 4, text: 'High' }, groundingChunkIndices: [0, 1, 3, 9] }],
  },
  urlContextMetadata: {
    urlMetadata: [{ retrievedUrl: 'https://u.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
  },
  safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
  avgLogprobs: -0.1,
}

const generateUsage = {
  usageMetadata: {
    ...{
      promptTokenCount: 20,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 6,
      thoughtsTokenCount: 3,
      totalTokenCount: 29,
    },
    ...{ promptTokensDetails: [{ modality: 'TEXT', tokenCount: 20 }], trafficType: 'ON_DEMAND' },
  },
}

const candidate = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  ...{ modelVersion: 'gemini-2.5-pro', responseId: 'r' },
})

export const geminiAnswer = {
  whole: { ...candidate(PARTS, { finishReason: 'STOP', ...GROUNDING }), ...generateUsage },
  events: [
    { usageMetadata: { promptTokenCount: 20, totalTokenCount: 20 } },
    ...PARTS.map((part) => candidate([part])),
    { ...candidate([], { finishReason: 'STOP', ...GROUNDING }), ...generateUsage },
  ],
}
