import { expect, test } from 'bun:test'
import { dialects } from '../dialects.ts'

const parsed = (members: object) => {
  const { reasoning, extra } = dialects['openai/chat'].parse({
    ...{ model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
    ...members,
  })
  return { reasoning, extra }
}

test.each([
  ['OpenAI', { reasoning_effort: 'high' }, { effort: 'high' }],
  ['OpenRouter', { reasoning: { max_tokens: 900 } }, { budgetTokens: 900 }],
  ['Anthropic', { thinking: { type: 'enabled', budget_tokens: 900 } }, { budgetTokens: 900 }],
  ['Anthropic’s newer models', { thinking: { type: 'adaptive' } }, {}],
  ['DeepSeek, GLM and Kimi', { thinking: { type: 'disabled' } }, { effort: 'none' }],
  ['Doubao', { thinking: { type: 'auto' } }, {}],
  ['Qwen', { enable_thinking: true, thinking_budget: 900 }, { budgetTokens: 900 }],
  ['Qwen, without thinking', { enable_thinking: false, thinking_budget: 900 }, { effort: 'none' }],
  ['two forms at once', { reasoning_effort: 'low', thinking: { type: 'enabled' } }, { effort: 'low' }],
])('a chat may ask for thinking as %s has it', (_, members, reasoning) => {
  expect(parsed(members)).toEqual({ reasoning, extra: {} })
})

test.each([
  { thinking: { type: 'enabled', clear_thinking: false } },
  { thinking: { type: 'enabled', budget_tokens: 'many' } },
  { thinking: true },
  { thinking: { type: 'constructor' } },
  { enable_thinking: 'yes', thinking_budget: -1 },
])('what is more than that stays a member of its vendor: %j', (members) => {
  expect(parsed(members)).toEqual({ reasoning: undefined, extra: members })
})
