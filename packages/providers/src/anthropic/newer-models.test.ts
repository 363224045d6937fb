import { describe, expect, test } from 'bun:test'
import { type DialectName, dialects } from '../dialects.ts'
import { fieldsOf, listOf } from '../json.ts'
import { droppedParameters } from '../members.ts'
import { providerOf } from '../registry.ts'
import { ENCODE_CONTEXT, FULL_ACCESS, offered } from '../testing/vendor-kit.ts'

/* What Anthropic changed from one model to the next, for callers of other APIs, at each host of Claude. */

const [anthropic, aws, vertex] = [14, 33, 42].map(providerOf)
const HOSTS = [
  ['Anthropic', anthropic, (model: string) => model],
  ['Bedrock', aws, (model: string) => `us.anthropic.${model}-v1:0`],
  ['Vertex', vertex, (model: string) => model],
] as const

const HI = [{ role: 'user', content: 'Hi' }]
const BEGUN = [...HI, { role: 'assistant', content: 'The tide is' }]
const generate = (contents: object[], thinkingConfig?: object) => ({
  contents,
  generationConfig: { maxOutputTokens: 9000, thinkingConfig },
})

/** No thinking, in the words of each API. */
const OFF: [DialectName, object][] = [
  ['openai/chat', { max_tokens: 9000, messages: HI, reasoning_effort: 'none' }],
  ['responses', { store: false, input: 'Hi', max_output_tokens: 9000, reasoning: { effort: 'none' } }],
  ['anthropic/messages', { max_tokens: 9000, messages: HI, thinking: { type: 'disabled' } }],
  ['gemini/generate', generate([{ role: 'user', parts: [{ text: 'Hi' }] }], { thinkingBudget: 0 })],
]

/** What keeps each model from thinking, or lets it think least. The others refuse it, or think by themselves without it. */
const QUIET: [string, object | undefined, string | undefined][] = [
  ['claude-3-7-sonnet-20250219', undefined, undefined],
  ['claude-sonnet-4-5', undefined, undefined],
  ['claude-opus-4-8', undefined, undefined],
  ['claude-sonnet-5', { type: 'disabled' }, undefined],
  ['claude-opus-5', { type: 'disabled' }, undefined],
  ['claude-haiku-5-5', { type: 'disabled' }, undefined],
  ['claude-sonnet-5-5', { type: 'between_tools' }, undefined],
  ['claude-opus-5-5', undefined, 'low'],
  ['claude-fable-5', undefined, 'low'],
]

/** Whether a message that the caller has begun is finished by the model. */
const BEGINNINGS: [string, boolean][] = [
  ['claude-3-5-haiku-20241022', true],
  ['claude-sonnet-4-5', true],
  ['claude-opus-4-6', false],
  ['claude-opus-4-8', false],
  ['claude-sonnet-5', false],
]

const CONTINUED: [DialectName, object][] = [
  ['openai/chat', { max_tokens: 9000, messages: BEGUN, reasoning_effort: 'high' }],
  ['responses', { store: false, input: BEGUN, max_output_tokens: 9000, reasoning: { effort: 'high' } }],
  ['anthropic/messages', { max_tokens: 9000, messages: BEGUN, thinking: { type: 'enabled', budget_tokens: 4000 } }],
  [
    'gemini/generate',
    generate(
      [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'The tide is' }] },
      ],
      { thinkingBudget: 4000 },
    ),
  ],
]

/** Sampling together with an effort: whether the model takes it then, and without. */
const SAMPLED: [string, boolean, boolean][] = [
  ['claude-3-5-haiku-20241022', true, true],
  ['claude-sonnet-4-5', false, true],
  ['claude-sonnet-4-6', false, true],
  ['claude-opus-4-8', false, false],
  ['claude-sonnet-5', false, false],
]

describe.each(HOSTS)('%s', (_, provider, named) => {
  const sent = async (model: string, dialect: DialectName, body: object) => {
    if (provider === undefined) throw new Error('No such type')
    const request = dialects[dialect].parse({ model, ...body }, { model: named(model) })
    const { body: json } = await offered(provider, 'chat').encode(request, FULL_ACCESS, ENCODE_CONTEXT)
    const fields = fieldsOf(JSON.parse(String(json)))
    const config = fieldsOf(fields.output_config ?? fields.outputConfig)
    const thinking = fields.thinking ?? fieldsOf(fields.additionalModelRequestFields).thinking
    return { thinking, effort: config.effort, last: fieldsOf(listOf(fields.messages).at(-1)).role }
  }

  test.each(QUIET)(
    '%s thinks as little as it can for callers who want no thinking',
    async (model, thinking, effort) => {
      for (const [dialect, body] of OFF) {
        expect([dialect, await sent(model, dialect, body)]).toEqual([dialect, { thinking, effort, last: 'user' }])
      }
    },
  )

  test.each(SAMPLED)('%s gets the sampling that it takes, and the rest is named', async (model, besides, alone) => {
    for (const effort of ['high', 'none']) {
      const body = { max_tokens: 20_000, messages: HI, temperature: 0.3, reasoning_effort: effort }
      const request = dialects['openai/chat'].parse({ model, ...body }, { model: named(model) })
      const takes = effort === 'high' ? besides : alone
      if (provider === undefined) throw new Error('No such type')
      const { body: json } = await offered(provider, 'chat').encode(request, FULL_ACCESS, ENCODE_CONTEXT)
      const dropped = droppedParameters({ provider, access: FULL_ACCESS }, request)
      expect([effort, String(json).includes('"temperature":0.3')]).toEqual([effort, takes])
      expect([effort, dropped.includes('temperature')]).toEqual([effort, !takes])
    }
  })

  test.each(BEGINNINGS)(
    '%s gets a message that its caller has begun, or is asked to continue',
    async (model, prefill) => {
      for (const [dialect, body] of CONTINUED) {
        const { last, thinking } = await sent(model, dialect, body)
        expect([dialect, last]).toEqual([dialect, prefill ? 'assistant' : 'user'])
        // A message that thinks cannot begin with text.
        if (prefill) expect(thinking).toBeUndefined()
      }
    },
  )
})
