import { expect, test } from 'bun:test'
import type { ChatPart } from '../chat.ts'
import { failureOf } from '../failure.ts'
import { fieldsOf, listOf } from '../json.ts'
import { framesOf, META } from '../testing/dialect-round-trip.ts'
import { failureFrom } from '../testing/vendor-kit.ts'
import { geminiGenerate } from './dialect.ts'

const { parse, error } = geminiGenerate
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const hints = { model: 'gemini-x', stream: true }

test('gemini/generate: a request keeps its meaning, in either spelling', () => {
  const request = parse(
    {
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { parts: [{ text: 'Look' }, { inline_data: { mime_type: 'image/png', data: 'aGk=' } }] },
        {
          role: 'model',
          parts: [
            { text: 'Hm.', thought: true },
            { functionCall: { name: 'f', args: { snake_case: 1 } }, thoughtSignature: 'c2ln' },
            { functionCall: { name: 'f', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'f', response: { ok: true } } },
            { functionResponse: { name: 'f', response: { ok: false } } },
            { fileData: { fileUri: 'https://f.example/a.pdf', mimeType: 'application/pdf' } },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              parameters: {
                type: 'OBJECT',
                properties: {
                  snake_case: { type: 'STRING', nullable: true },
                  l: { type: 'ARRAY', items: { type: 'NUMBER' }, minItems: '1' },
                },
              },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: {
        max_output_tokens: 10,
        stopSequences: ['END'],
        candidateCount: 2,
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT' },
        thinkingConfig: { thinkingBudget: 512 },
      },
      safetySettings: [],
    },
    hints,
  )
  expect(request).toEqual({
    model: 'gemini-x',
    stream: true,
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', source: { mimeType: 'image/png', base64: 'aGk=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          {
            type: 'tool-call',
            id: 'call_1_1',
            name: 'f',
            arguments: '{"snake_case":1}',
            signature: 'tollgate/gemini/c2ln',
          },
          { type: 'tool-call', id: 'call_1_2', name: 'f', arguments: '{}' },
        ],
      },
      { role: 'tool', callId: 'call_1_1', name: 'f', content: [{ type: 'text', text: '{"ok":true}' }] },
      { role: 'tool', callId: 'call_1_2', name: 'f', content: [{ type: 'text', text: '{"ok":false}' }] },
      { role: 'user', content: [{ type: 'file', source: { url: 'https://f.example/a.pdf' } }] },
    ],
    maxTokens: 10,
    stop: ['END'],
    n: 2,
    tools: [
      {
        name: 'f',
        parameters: {
          type: 'object',
          properties: {
            snake_case: { type: ['string', 'null'] },
            l: { type: 'array', items: { type: 'number' }, minItems: 1 },
          },
        },
      },
    ],
    toolChoice: 'required',
    responseFormat: { type: 'json_schema', name: 'answer', schema: { type: 'object' } },
    reasoning: { budgetTokens: 512 },
    extra: {},
  })
})

test('gemini/generate: thinking is a level, a budget, left to the model, or off', () => {
  const reasoning = (thinkingConfig: object) =>
    parse({ contents, generationConfig: { thinkingConfig } }, hints).reasoning
  expect(reasoning({ thinkingLevel: 'LOW' })).toEqual({ effort: 'low' })
  expect(reasoning({ thinkingBudget: 0 })).toEqual({ effort: 'none' })
  expect(reasoning({ thinkingBudget: -1 })).toEqual({})
})

test("gemini/generate: an object for a list of one and small letters mean the same, as in Google's own examples", () => {
  const declaration = { name: 'f', parameters: { type: 'OBJECT' } }
  const listed = {
    ...{ systemInstruction: { parts: [{ text: 'Be brief.' }] }, contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    tools: [{ functionDeclarations: [declaration] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  }
  const single = {
    ...{ system_instruction: { parts: { text: 'Be brief.' } }, contents: { role: 'user', parts: { text: 'Hi' } } },
    tools: { function_declarations: declaration },
    tool_config: { function_calling_config: { mode: 'any' } },
    cachedContent: null,
  }
  expect(parse(single, hints)).toEqual(parse(listed, hints))
  expect(() => parse({ ...single, contents: 'Hi' }, hints)).toThrow('contents')
  expect(() => parse({ ...single, contents: [] }, hints)).toThrow('contents')
})

test('gemini/generate: a mistake is refused with the name of the parameter', async () => {
  const param = async (body: object) => (await failureFrom(() => parse(body, hints))).param
  expect(await param({})).toBe('contents')
  expect(await param({ contents: [{ parts: [{ inlineData: { data: '' } }] }] })).toBe(
    'contents[0].parts[0].inlineData.mimeType',
  )
  expect(await param({ contents, tools: [{ urlContext: {} }] })).toBe('tools[0].urlContext')
  expect(await param({ contents, cachedContent: 'cachedContents/1' })).toBe('cachedContent')
  expect(await failureFrom(() => parse({ contents }))).toMatchObject({ param: 'model' })
})

test('gemini/generate: text is streamed, and the last chunk has whole calls, finish reason and usage', () => {
  const parts: ChatPart[] = [
    { type: 'start', id: 'v', model: 'v' },
    { type: 'reasoning', choice: 0, text: 'Hm.' },
    { type: 'text', choice: 0, text: 'Hi' },
    { type: 'tool-call', choice: 0, call: 0, id: 'c1', name: 'f', arguments: '{"a"' },
    { type: 'tool-call', choice: 0, call: 0, arguments: ':1}' },
    { type: 'finish', choice: 0, reason: 'tool_calls' },
    { type: 'usage', usage: { input: 2, cachedInput: 3, output: 4, reasoning: 5 } },
  ]
  const pieces = framesOf('gemini/generate', parts).map(({ data }) => JSON.parse(data))
  expect(pieces.map(({ candidates }) => candidates[0].content.parts)).toEqual([
    [{ text: 'Hm.', thought: true }],
    [{ text: 'Hi' }],
    [{ functionCall: { id: 'c1', name: 'f', args: { a: 1 } } }],
  ])
  expect(pieces.at(-1)).toMatchObject({
    candidates: [{ finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: 5,
      cachedContentTokenCount: 3,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 5,
      totalTokenCount: 14,
    },
    responseId: 'call-1',
  })
})

/** What vendors send is not always base64 in the standard alphabet, or at all. */
const SECRETS: [what: string, reasoning: { signature: string } | { redacted: string }][] = [
  ['data', { redacted: 'ZGF0YQ==' }],
  ['data in the alphabet of URLs', { redacted: 'gAAAAABo-_x' }],
  ['a signature of Claude', { signature: 'tollgate/claude/Ep+/Cg==' }],
  ['a signature of OpenAI', { signature: 'tollgate/openai/gAAAAABo-_x' }],
  ['a signature that is no base64', { signature: 'tollgate/xai+++/own:1.2' }],
]

test.each(SECRETS)('gemini/generate: encrypted reasoning is sent as bytes and comes back: %s', (_, reasoning) => {
  const whole = geminiGenerate.whole([{ type: 'reasoning', choice: 0, text: '', ...reasoning }], META)
  const [candidate] = listOf(fieldsOf(whole).candidates)
  const [part] = listOf(fieldsOf(fieldsOf(candidate).content).parts).map(fieldsOf)
  const bytes = Uint8Array.fromBase64(String(part?.thoughtSignature))
  for (const alphabet of ['base64', 'base64url'] as const) {
    const parts = [{ ...part, thoughtSignature: bytes.toBase64({ alphabet }) }]
    expect(parse({ contents: [...contents, { role: 'model', parts }] }, hints).messages[1]).toMatchObject({
      content: [{ type: 'reasoning', ...reasoning }],
    })
  }
})

test('gemini/generate: a signature that returns with the words after its thought signs the thought', () => {
  const signed = (signature: string) => {
    const whole = geminiGenerate.whole([{ type: 'reasoning', choice: 0, text: 'Hm.', signature }], META)
    const [candidate] = listOf(fieldsOf(whole).candidates)
    const [part] = listOf(fieldsOf(fieldsOf(candidate).content).parts).map(fieldsOf)
    const { thoughtSignature, ...thought } = part ?? {}
    const parts = [thought, { text: 'High.', thoughtSignature }, { functionCall: { name: 'tide' } }]
    return parse({ contents: [...contents, { role: 'model', parts }] }, hints).messages[1]?.content
  }
  const claude = 'tollgate/claude/Ep+/Cg=='
  expect(signed(claude)).toMatchObject([
    { type: 'reasoning', text: 'Hm.', signature: claude },
    { type: 'text', text: 'High.' },
    { type: 'tool-call', name: 'tide' },
  ])
  // Google signs words too.
  const google = 'tollgate/gemini/Ep+/Cg=='
  expect(signed(google)).toMatchObject([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'High.' },
    { type: 'reasoning', text: '', signature: google },
    { type: 'tool-call', name: 'tide' },
  ])
})

test('gemini/generate: data in the alphabet of URLs is changed to the other, which vendors require', () => {
  const data = new Uint8Array([251, 239, 190, 255]).toBase64({ alphabet: 'base64url' })
  const inlineData = { mimeType: 'image/png', data }
  const functionResponse = { name: 'look', response: {}, parts: [{ inlineData }] }
  const { messages } = parse({ contents: [{ role: 'user', parts: [{ functionResponse }, { inlineData }] }] }, hints)
  const text = JSON.stringify(messages)
  expect(text.split('"++++/w=="')).toHaveLength(3)
  expect(text).not.toContain(data)
})

test('gemini/generate: a failure is Google’s error object', () => {
  expect(error(failureOf('rate', 'Slow'))).toEqual({
    error: { code: 429, message: 'Slow', status: 'RESOURCE_EXHAUSTED' },
  })
})

const FORMATS: [config: object, type: 'json' | 'json_schema' | undefined][] = [
  [{ responseJsonSchema: { type: 'object' } }, 'json_schema'],
  [{ response_schema: { type: 'OBJECT' } }, 'json_schema'],
  [{ responseMimeType: 'application/json' }, 'json'],
  [{ responseMimeType: 'text/plain', responseSchema: { type: 'OBJECT' } }, undefined],
  [{}, undefined],
]

test.each(FORMATS)('gemini: %j asks for an answer of the type %p', (generationConfig, type) => {
  expect(parse({ contents, generationConfig }, hints).responseFormat?.type).toBe(type)
})
