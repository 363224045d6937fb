import { expect, test } from 'bun:test'
import { openai, openrouter } from '../compatible/vendors.ts'
import { type DialectName, dialects } from '../dialects.ts'
import { isFields } from '../json.ts'
import { ENCODE_CONTEXT, FULL_ACCESS, offered, WEATHER } from '../testing/vendor-kit.ts'

/* What OpenAI's models answer to efforts that they do not know: 400. The first list is what they name in that error, without `none`. */

const KNOWN: [string, string[]][] = [
  ['gpt-5', ['minimal', 'low', 'medium', 'high']],
  ['gpt-5-mini', ['minimal', 'low', 'medium', 'high']],
  ['gpt-5-codex', ['low', 'medium', 'high']],
  ['gpt-5-pro', ['high']],
  ['gpt-5.1', ['low', 'medium', 'high']],
  ['gpt-5.1-codex-mini', ['low', 'medium', 'high']],
  ['gpt-5.1-codex-max', ['low', 'medium', 'high', 'xhigh']],
  ['gpt-5.2', ['low', 'medium', 'high', 'xhigh']],
  ['gpt-5.2-chat-latest', ['medium']],
  ['gpt-5.2-pro', ['medium', 'high', 'xhigh']],
  ['gpt-5.3-codex', ['low', 'medium', 'high', 'xhigh']],
  ['gpt-5.5', ['low', 'medium', 'high', 'xhigh']],
  ['gpt-5.6-terra', ['low', 'medium', 'high', 'xhigh', 'max']],
  ['gpt-6-astra', ['low', 'medium', 'high', 'xhigh', 'max']],
  ['o3', ['low', 'medium', 'high']],
  ['o3-deep-research', ['medium']],
  ['openai/gpt-oss-120b', ['low', 'medium', 'high']],
]

const SCALE = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const said = { max_tokens: 30_000, messages: [{ role: 'user', content: 'Hi' }] }
const ASKED = (effort: string): [DialectName, object][] => [
  ['anthropic/messages', { ...said, thinking: { type: 'adaptive' }, output_config: { effort } }],
  ['openai/chat', { ...said, reasoning_effort: effort }],
  ['responses', { store: false, input: 'Hi', reasoning: { effort } }],
  [
    'gemini/generate',
    {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { thinkingConfig: { thinkingLevel: effort } },
    },
  ],
]

const sent = async (model: string, dialect: DialectName, body: object, provider = openai) => {
  const request = dialects[dialect].parse({ model, ...body }, { model })
  const { url, body: text } = await offered(provider, 'chat').encode(request, FULL_ACCESS, ENCODE_CONTEXT)
  const fields: Record<string, unknown> = JSON.parse(String(text))
  const reasoning = isFields(fields.reasoning) ? fields.reasoning.effort : fields.reasoning_effort
  return { path: url.split('/v1/')[1], effort: reasoning }
}

test.each(KNOWN)('%s gets the nearest effort that it knows, whichever API the caller uses', async (model, known) => {
  for (const effort of SCALE) {
    for (const [dialect, body] of ASKED(effort)) {
      const { path, effort: arrived } = await sent(model, dialect, body)
      const levels = path === 'responses' ? known : known.filter((level) => level !== 'max')
      const distances = levels.map((level) => Math.abs(SCALE.indexOf(level) - SCALE.indexOf(effort)))
      const nearest = levels[distances.indexOf(Math.min(...distances))]
      expect({ dialect, effort, arrived }).toEqual({ dialect, effort, arrived: nearest })
    }
  }
})

test('a model that always thinks gets its least effort from a caller who wants none, and tools in Responses alone', async () => {
  const off = { ...said, thinking: { type: 'disabled' } }
  const tools = [{ name: WEATHER.name, input_schema: WEATHER.parameters }]
  expect(await sent('gpt-6-astra', 'anthropic/messages', off)).toEqual({ path: 'chat/completions', effort: 'low' })
  expect(await sent('gpt-6-astra', 'anthropic/messages', { ...off, tools })).toEqual({
    path: 'responses',
    effort: 'low',
  })
  expect(await sent('gpt-5.6', 'anthropic/messages', { ...off, tools })).toEqual({
    path: 'chat/completions',
    effort: 'none',
  })
})

test('the models of others get an effort as it is', async () => {
  const [messages] = ASKED('max')
  if (messages === undefined) throw new Error('No dialect')
  expect((await sent('deepseek/deepseek-v4', ...messages, openrouter)).effort).toBe('max')
})
