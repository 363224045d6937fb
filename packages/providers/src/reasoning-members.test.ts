import { describe, expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { type DialectName, dialects } from './dialects.ts'
import { droppedParameters, refuseUnsupportedFields } from './members.ts'
import type { Provider } from './provider.ts'
import { providerOf } from './registry.ts'
import { ENCODE_CONTEXT, FULL_ACCESS } from './testing/vendor-kit.ts'

/* How much a model should think, in the words of every client: it arrives at every model that thinks, and is named in the log of others. */

/** Models that think in different ways, or not at all. */
const MODELS: Record<string, string[]> = {
  openai: ['gpt-4o', 'gpt-5-mini', 'gpt-5.1-codex'],
  azure: ['gpt-4o', 'gpt-5.1-codex'],
  anthropic: ['claude-3-haiku-20240307', 'claude-opus-4-5', 'claude-opus-4-6'],
  gemini: ['gemini-2.0-flash', 'gemini-2.5-pro', 'gemini-3-pro-preview'],
  vertex: ['gemini-2.0-flash', 'gemini-2.5-pro', 'claude-opus-4-5', 'meta/llama-4'],
  aws: [
    ...['anthropic.claude-opus-4-5', 'anthropic.claude-3-haiku-20240307-v1:0', 'amazon.nova-2-lite-v1:0'],
    ...['amazon.nova-pro-v1:0', 'meta.llama3-70b-instruct-v1:0', 'openai.gpt-oss-120b-1:0'],
  ],
  spark: ['Spark-Max'],
}

const CHAT = { model: 'm', max_tokens: 30_000, messages: [{ role: 'user', content: 'Hi' }] }
const CONTENTS = {
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  generationConfig: { maxOutputTokens: 30_000 },
}
const generate = (thinkingConfig: object) => ({ generationConfig: { maxOutputTokens: 30_000, thinkingConfig } })

const HELLO: Record<DialectName, object> = {
  ...{ 'openai/chat': CHAT, 'anthropic/messages': CHAT, 'gemini/generate': CONTENTS },
  responses: { model: 'm', store: false, input: 'Hi', max_output_tokens: 30_000 },
}

const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const ASKED: [DialectName, object][] = [
  ...EFFORTS.flatMap((effort): [DialectName, object][] => [
    ['openai/chat', { reasoning_effort: effort }],
    ['responses', { reasoning: { effort } }],
    ['anthropic/messages', { thinking: { type: 'adaptive' }, output_config: { effort } }],
    ['gemini/generate', generate({ thinkingLevel: effort.toUpperCase() })],
  ]),
  ['openai/chat', { reasoning: { max_tokens: 4000 } }],
  ['openai/chat', { thinking: { type: 'enabled', budget_tokens: 4000 } }],
  ['openai/chat', { enable_thinking: true, thinking_budget: 4000 }],
  ['anthropic/messages', { thinking: { type: 'enabled', budget_tokens: 4000 } }],
  ['gemini/generate', generate({ thinkingBudget: 4000 })],
]

const bodyOf = async ({ provider, model }: Target, dialect: DialectName, body: object) => {
  const request = dialects[dialect].parse({ ...HELLO[dialect], ...body }, { model })
  refuseUnsupportedFields({ provider, access: FULL_ACCESS }, request)
  const encoded = await provider.chat?.encode(request, FULL_ACCESS, ENCODE_CONTEXT)
  return { sent: encoded?.body, dropped: droppedParameters({ provider, access: FULL_ACCESS }, request) }
}

interface Target {
  provider: Provider
  model: string
}

const targets = CHANNEL_TYPES.flatMap(({ value }) => providerOf(value) ?? [])
  // A vendor whose service has ended refuses everything.
  .filter(({ chat, name }) => chat !== undefined && name !== 'palm')
  .flatMap((provider) => (MODELS[provider.name] ?? ['a-model']).map((model): Target => ({ provider, model })))

describe.each(targets.map((target) => [target.provider.name, target.model, target] as const))(
  '%s, %s',
  (_, __, target) => {
    test('what a caller asks of thinking arrives or is named, not both and not neither', async () => {
      const lost: string[] = []
      for (const [dialect, body] of ASKED) {
        const plain = await bodyOf(target, dialect, {})
        const { sent, dropped } = await bodyOf(target, dialect, body)
        const [arrives, named] = [sent !== plain.sent, dropped.includes('reasoning_effort')]
        if (arrives === named) lost.push(`${dialect} ${JSON.stringify(body)}: ${arrives ? 'both' : 'neither'}`)
      }
      expect(lost).toEqual([])
    })
  },
)
