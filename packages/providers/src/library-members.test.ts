import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ChatRequest } from './chat.ts'
import { type DialectName, dialects } from './dialects.ts'
import { VendorError } from './failure.ts'
import { refuseUnsupportedFields } from './members.ts'
import type { Provider } from './provider.ts'
import { providerOf } from './registry.ts'
import { anAccess, ENCODE_CONTEXT, withBody } from './testing/vendor-kit.ts'

/* What is sent to a vendor contains only fields that the vendor's own library knows, whatever dialect the request was written in. */

const SAID: Record<DialectName, readonly object[]> = {
  'openai/chat': [
    { temperature: 0.5, top_p: 0.5, stop: ['end'], seed: 7, max_tokens: 64, n: 1, user: 'somebody' },
    { frequency_penalty: 0.1, presence_penalty: 0.1, max_completion_tokens: 64 },
    { tools: [tool()], tool_choice: 'required', parallel_tool_calls: false },
    { response_format: { type: 'json_schema', json_schema: { name: 'tide', schema: { type: 'object' } } } },
    { response_format: { type: 'json_object' } },
    { reasoning_effort: 'high', verbosity: 'low', service_tier: 'flex', metadata: { berth: 'seven' } },
    { prompt_cache_key: 'berth', safety_identifier: 'somebody', web_search_options: { search_context_size: 'low' } },
    { stream: true, stream_options: { include_usage: true } },
  ],
  'anthropic/messages': [
    { temperature: 0.5, stop_sequences: ['end'], system: 'Be brief.', metadata: { user_id: 'somebody' } },
    { thinking: { type: 'enabled', budget_tokens: 2000 }, max_tokens: 4000 },
    { tools: [{ name: 'tide', input_schema: { type: 'object' } }], tool_choice: { type: 'any' } },
    { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }], stream: true },
  ],
  'gemini/generate': [
    { generationConfig: { temperature: 0.5, topP: 0.5, maxOutputTokens: 64, stopSequences: ['end'], seed: 7 } },
    { generationConfig: { thinkingConfig: { thinkingBudget: 500 }, responseMimeType: 'application/json' } },
    { systemInstruction: { parts: [{ text: 'Be brief.' }] }, tools: [{ googleSearch: {} }] },
    { tools: [{ functionDeclarations: [{ name: 'tide', parameters: { type: 'OBJECT' } }] }] },
  ],
  responses: [
    { temperature: 0.5, top_p: 0.5, max_output_tokens: 64, instructions: 'Be brief.', user: 'somebody' },
    { reasoning: { effort: 'high', summary: 'auto' }, text: { verbosity: 'low' }, service_tier: 'flex' },
    { tools: [{ type: 'web_search' }, { type: 'function', name: 'tide', parameters: { type: 'object' } }] },
    { metadata: { berth: 'seven' }, prompt_cache_key: 'berth', parallel_tool_calls: false, stream: true },
  ],
}

function tool() {
  return { type: 'function', function: { name: 'tide', parameters: { type: 'object' } } }
}

const HELLO: Record<DialectName, object> = {
  'openai/chat': { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  'anthropic/messages': { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  'gemini/generate': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  responses: { model: 'm', store: false, input: 'Hi' },
}

const PACKAGES = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

/** The fields of an interface, from the library's own types. */
function membersOf(file: string, name: string) {
  const text = readFileSync(PACKAGES + file, 'utf8')
  const start = text.search(new RegExp(`interface ${name}( extends [^{]+)? \\{`))
  if (start < 0) throw new Error(`${file} has no ${name}`)
  const body = text.slice(start, text.indexOf('\n}', start))
  return new Set([...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, member]) => member))
}

const chat = membersOf('openai/resources/chat/completions/completions.d.ts', 'ChatCompletionCreateParamsBase')
const responses = membersOf('openai/resources/responses/responses.d.ts', 'ResponseCreateParamsBase')
const anthropic = membersOf('@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', 'MessageCreateParamsBase')
const google = membersOf('@google/genai/dist/genai.d.ts', 'GenerationConfig')

/** Google's library flattens the parts of a call; only the wire format has these names. */
const GOOGLE_PARTS = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'safetySettings', 'generationConfig']

const access = anAccess({})

/** Nothing if the vendor does not support it and the caller gets an error. */
async function bodyFor(provider: Provider, request: ChatRequest): Promise<Record<string, unknown>> {
  try {
    refuseUnsupportedFields({ provider, access }, request)
    return provider.chat === undefined
      ? {}
      : (await withBody(provider.chat.encode(request, access, ENCODE_CONTEXT))).body
  } catch (error) {
    if (error instanceof VendorError) return {}
    throw error
  }
}

const VENDORS = [
  { type: 1, model: 'gpt-4o', known: chat },
  { type: 1, model: 'gpt-5.1-codex', known: responses },
  { type: 14, model: 'claude-opus-4-8', known: anthropic },
  // The current library no longer has sampling parameters; these models and the API version that we use have them.
  { type: 14, model: 'claude-opus-4-5', known: new Set([...anthropic, 'temperature', 'top_p', 'top_k']) },
  { type: 24, model: 'gemini-2.5-pro', known: new Set(GOOGLE_PARTS) },
]

test.each(VENDORS)(
  '$model gets only fields that its own library has, from every dialect',
  async ({ type, model, known }) => {
    const provider = providerOf(type)
    if (provider?.chat === undefined) throw new Error('There is no such provider')
    const unknown: string[] = []
    let written = 0
    for (const dialect of Object.keys(SAID) as DialectName[]) {
      for (const said of SAID[dialect]) {
        const request = dialects[dialect].parse({ ...HELLO[dialect], ...said }, { model })
        const body = await bodyFor(provider, request)
        const config = Object.keys(body.generationConfig ?? {}).filter((name) => !google.has(name))
        unknown.push(
          ...[...Object.keys(body).filter((name) => !known.has(name)), ...config].map((name) => `${dialect}: ${name}`),
        )
        written += Object.keys(body).length
      }
    }
    expect(unknown).toEqual([])
    expect(written).toBeGreaterThan(40)
  },
)
