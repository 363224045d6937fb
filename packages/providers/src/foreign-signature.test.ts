import { expect, test } from 'bun:test'
import { mayHaveForeignSignature, withoutForeignSignatures } from './foreign-signature.ts'

const FOREIGN = 'tollgate/openai/Z0FBQQ=='
const OWN = 'RXNFQ0Nva0I='
const text = { type: 'text', text: 'Hello' }

test("a body in Anthropic's dialect keeps only the thinking of Claude", () => {
  const own = { type: 'thinking', thinking: 'Mine.', signature: OWN }
  const foreign = { type: 'thinking', thinking: 'Not mine.', signature: FOREIGN }
  const body = (messages: object[]) => ({ model: 'm', max_tokens: 9, messages })
  const question = { role: 'user', content: 'Hi' }
  expect(
    withoutForeignSignatures(
      body([
        question,
        { role: 'assistant', content: [foreign, own, { ...foreign, signature: '' }, text] },
        question,
        { role: 'assistant', content: [foreign] },
      ]),
    ),
  ).toEqual(body([question, { role: 'assistant', content: [own, text] }, question]))
})

/** As Google's clients have it: Python's writes it in the other alphabet, which has the same mark. */
const PACKED = [FOREIGN, 'tollgate/openai/gAAAAABo-_x'].map((signature) =>
  new TextEncoder().encode(signature).toBase64({ alphabet: 'base64url' }),
)

test.each([FOREIGN, ...PACKED])(
  "a body in Google's dialect keeps its calls, marked as Google requires: %s",
  (foreign) => {
    const functionCall = { name: 'f', args: {} }
    const { contents } = withoutForeignSignatures({
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        {
          role: 'model',
          parts: [
            { text: 'Hm.', thought: true, thoughtSignature: foreign },
            { text: 'Let me look.', thoughtSignature: foreign },
            { text: '', thoughtSignature: foreign },
            { functionCall, thoughtSignature: foreign },
            { functionCall, thoughtSignature: OWN },
            { functionCall },
          ],
        },
      ],
    })
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'Hi' }] },
      {
        role: 'model',
        parts: [
          { text: 'Let me look.' },
          { functionCall, thoughtSignature: 'skip_thought_signature_validator' },
          { functionCall, thoughtSignature: OWN },
          { functionCall },
        ],
      },
    ])
  },
)

test('a body of Responses keeps only the reasoning of OpenAI, and other dialects are not inspected', () => {
  const own = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: OWN }
  const foreign = { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'tollgate/closed/RW13Sw==' }
  const input = [{ role: 'user', content: 'Hi' }, own, foreign]
  expect(withoutForeignSignatures({ model: 'm', input })).toEqual({ model: 'm', input: input.slice(0, 2) })
  expect(withoutForeignSignatures({ model: 'm', input: 'Hi' })).toEqual({ model: 'm', input: 'Hi' })
  expect(mayHaveForeignSignature(JSON.stringify({ type: 'thinking', signature: '' }, null, 1))).toBe(true)
  expect(mayHaveForeignSignature(JSON.stringify({ model: 'm', input: [own] }))).toBe(false)
})
