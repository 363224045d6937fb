import { type Content, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai'
import { CLOCK_SCHEMA, type Client, PNG, QUESTION, REPORT, SYSTEM, TIME, WEATHER_SCHEMA } from './conversation.ts'

/** A signature is read as bytes, and written again as the library of a language does it. */
const clientWith = (rewritten: (base64: string) => string): Client => {
  const returned = (part: Part): Part =>
    part.thoughtSignature === undefined ? part : { ...part, thoughtSignature: rewritten(part.thoughtSignature) }

  return async ({ url, key, model, streamed }) => {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
    const ask = async (contents: Content[]) => {
      const request = {
        model,
        contents,
        config: {
          systemInstruction: SYSTEM,
          thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 },
          tools: [
            {
              functionDeclarations: [
                { name: 'weather', description: 'The weather', parametersJsonSchema: WEATHER_SCHEMA },
                { name: 'clock', parametersJsonSchema: CLOCK_SCHEMA },
              ],
            },
          ],
        },
      }
      if (!streamed) return answerIn([await client.models.generateContent(request)])
      const pieces: GenerateContentResponse[] = []
      for await (const piece of await client.models.generateContentStream(request)) pieces.push(piece)
      return answerIn(pieces)
    }
    const question = {
      role: 'user',
      parts: [{ text: QUESTION }, { inlineData: { mimeType: 'image/png', data: rewritten(PNG) } }],
    }
    const first = await ask([question])
    const calls = first.parts.flatMap(({ functionCall }) => functionCall ?? [])
    const responses = calls.map(({ id, name }, index) => ({
      functionResponse: {
        ...(id === undefined ? {} : { id }),
        name: name ?? '',
        response: index === 0 ? JSON.parse(REPORT) : { output: TIME },
      },
    }))
    const second = await ask([
      question,
      { role: 'model', parts: first.parts.map(returned) },
      { role: 'user', parts: responses },
    ])
    return {
      thinking: first.thinking,
      text: first.text,
      calls: calls.map(({ name = '', args }) => ({ name, args })),
      // This dialect has no separate finish reason for calls.
      stopped: first.stopped === 'STOP' ? 'calls' : first.stopped,
      tokens: first.tokens,
      answer: second.text,
    }
  }
}

export const googleClient = clientWith((base64) => base64)

/** Google's library for Python writes the alphabet of URLs. */
export const googlePythonClient = clientWith((base64) =>
  Uint8Array.fromBase64(base64).toBase64({ alphabet: 'base64url' }),
)

function answerIn(pieces: GenerateContentResponse[]) {
  const parts = pieces.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const textOf = (isThought: boolean) =>
    parts.flatMap(({ text = '', thought = false }: Part) => (thought === isThought ? [text] : [])).join('')
  const usage = pieces.findLast(({ usageMetadata }) => usageMetadata !== undefined)?.usageMetadata
  return {
    parts,
    thinking: textOf(true),
    text: textOf(false),
    stopped: pieces.findLast(({ candidates }) => candidates?.[0]?.finishReason)?.candidates?.[0]?.finishReason,
    tokens: {
      input: usage?.promptTokenCount ?? 0,
      output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
    },
  }
}
