import { expect, setDefaultTimeout, test } from 'bun:test'
import { keyOfType } from '../../testing/channel-makers.ts'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

type Refusal = [vendor: string, type: number, status: number, body: object]

const openai = (message: string, code: string | null = null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
})
const anthropic = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } })
const google = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })

const TOO_LONG: Refusal[] = [
  ['OpenAI', 1, 400, openai('Input tokens exceed the configured limit of 272000', 'context_length_exceeded')],
  ['Anthropic', 14, 400, anthropic('prompt is too long: 208310 tokens > 200000 maximum')],
  [
    'Anthropic, with the answer',
    14,
    400,
    anthropic('input length and `max_tokens` exceed context limit: 199759 + 8192'),
  ],
  [
    'Gemini',
    24,
    400,
    google('The input token count (1066750) exceeds the maximum number of tokens allowed (1048575).'),
  ],
  [
    'xAI',
    45,
    400,
    { code: 'invalid-argument', error: "This model's maximum prompt length is 131072 but it has 537812" },
  ],
  ['Moonshot', 25, 400, openai('Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)')],
  ['Qwen', 17, 400, { code: 'InvalidParameter', message: 'Range of input length should be [1, 129024]' }],
  ['Zhipu', 16, 400, { error: { code: '1261', message: 'Prompt 超长' } }],
  ['Zhipu abroad', 16, 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }],
  ['SiliconFlow', 44, 400, { code: 20015, message: 'number of input tokens has exceeded max_prompt_tokens (202752)' }],
  ['vLLM', 8, 400, openai('The decoder prompt (length 70000) is longer than the maximum model length of 65536.')],
  ['GitHub Models', 8, 413, openai('Request body too large. Max size: 8000 tokens.', 'tokens_limit_reached')],
]

const CONTENT_REFUSED: Refusal[] = [
  ['OpenAI', 1, 400, openai('Invalid prompt: your prompt was flagged as potentially violating our usage policy.')],
  ['OpenAI, about actions', 1, 400, openai('This action was blocked.', 'misalignment_policy_violation')],
  ['OpenAI, about biology', 1, 400, openai('We can not help with this.', 'bio_policy')],
  ['Azure', 8, 400, openai("The response was filtered due to Azure OpenAI's policy", 'content_filter')],
  ['Anthropic', 14, 400, anthropic('Output blocked by content filtering policy')],
  ['xAI', 45, 403, { code: 'No permission', error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK' }],
  ['DeepSeek', 36, 400, openai('Content Exists Risk', 'invalid_request_error')],
  ['Moonshot', 25, 400, openai('The request was rejected because it was considered high risk', null, 'content_filter')],
  ['Qwen', 17, 400, { code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.' }],
  ['Zhipu', 16, 400, { error: { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' } }],
]

/** Which of the refused calls a fallback model answers. */
async function answered(refusals: readonly Refusal[], reason: string) {
  const names = refusals.map((_, index) => `m${index}`)
  const table = Object.fromEntries(names.map((name) => [name, { to: ['say/5'], on: [reason] }]))
  const { channel, chat } = await relayFixture({ options: { ModelFallbacks: JSON.stringify(table) } })
  await channel('say/5')
  const found: string[] = []
  for (const [index, [vendor, type, status, body]] of refusals.entries()) {
    const { url } = fakeVendor(() => Response.json(body, { status }))
    await channel(`m${index}`, { type, base_url: url, key: keyOfType(type) })
    const answer = await chat(`m${index}`)
    await answer.text()
    if (answer.headers.get('x-tollgate-model') === 'say/5') found.push(vendor)
  }
  return found
}

test.each([
  ['too_long', TOO_LONG],
  ['content_refused', CONTENT_REFUSED],
])('a fallback model answers whatever words the vendor has for it: %s', async (reason, refusals) => {
  expect(await answered(refusals, reason)).toEqual(refusals.map(([vendor]) => vendor))
})

test.each([
  ['too_long', CONTENT_REFUSED],
  ['content_refused', TOO_LONG],
  ['upstream_error', [...TOO_LONG, ...CONTENT_REFUSED]],
])('and for no other reason: %s', async (reason, refusals) => {
  expect(await answered(refusals, reason)).toEqual([])
})

test('an error instead of the first chunk of a stream is recognised by its words too', async () => {
  const { channel, chat } = await relayFixture({
    options: { RetryTimes: 0, ModelFallbacks: JSON.stringify({ m: { to: ['say/5'], on: ['too_long'] } }) },
  })
  const error = { message: "This model's maximum context length is 65536 tokens", code: 'context_length_exceeded' }
  const { url } = fakeVendor(() => eventStream({ error }))
  await channel('m', { base_url: url })
  await channel('say/5')
  const answer = await chat('m', { stream: true })
  await answer.text()
  expect([answer.status, answer.headers.get('x-tollgate-model')]).toEqual([200, 'say/5'])
})
