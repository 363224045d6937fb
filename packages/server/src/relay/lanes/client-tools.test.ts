import { expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI from 'openai'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* OpenAI's shell and patches, which its client runs, with a model of another vendor. */

const TOOLS = ['shell' as const, 'apply_patch' as const, 'local_shell' as const].map((type) => ({ type }))
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' }
const usage = { input_tokens: 5, output_tokens: 7 }
const used = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })
const CALLS = [
  used('toolu_1', 'shell', { commands: ['ls'] }),
  used('toolu_2', 'apply_patch', { type: 'create_file', path: 'a.txt', diff: '+hello' }),
  used('toolu_3', 'local_shell', { command: ['pwd'] }),
]

const whole = () => Response.json({ ...head, content: CALLS, stop_reason: 'tool_use', usage })

const streamed = () =>
  eventStream(
    { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
    ...CALLS.flatMap(({ input, ...block }, index) => [
      { type: 'content_block_start', index, content_block: { ...block, input: {} } },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  )

const OUTPUTS: OpenAI.Responses.ResponseInput = [
  {
    ...{ type: 'shell_call_output', call_id: 'toolu_1' },
    output: [{ stdout: 'b.txt', stderr: '', outcome: { type: 'exit' as const, exit_code: 0 } }],
  },
  { type: 'apply_patch_call_output', call_id: 'toolu_2', status: 'failed', output: 'The disk is full' },
  { type: 'local_shell_call_output', id: 'toolu_3', output: '/quay' },
]

test.each([false, true])(
  "OpenAI's client runs its shell and patches for a model of another vendor, by items or by the last answer (stream: %p)",
  async (stream) => {
    const { channel, key, logs, app } = await relayFixture({ quota: 10_000_000 })
    const vendor = fakeVendor(() => (stream ? streamed() : whole()))
    await channel('m', { type: 14, base_url: vendor.url })
    const { responses } = new OpenAI({ apiKey: key, baseURL: `${app.url}/v1`, maxRetries: 0 })
    const ask = (more: { input: OpenAI.Responses.ResponseInput; previous_response_id?: string }) => {
      const body = { model: 'm', tools: TOOLS, ...more }
      return stream ? responses.stream(body).finalResponse() : responses.create(body)
    }
    const question = { role: 'user' as const, content: 'Write a file.' }
    const first = await ask({ input: [question] })
    expect(first.output).toMatchObject([
      { type: 'shell_call', call_id: 'toolu_1', action: { commands: ['ls'] }, status: 'completed' },
      { type: 'apply_patch_call', operation: { type: 'create_file', path: 'a.txt', diff: '+hello' } },
      { type: 'local_shell_call', action: { type: 'exec', command: ['pwd'], env: {} } },
    ])
    // The items of an answer are input of the next call.
    const items = first.output.flatMap((item) =>
      item.type === 'shell_call' || item.type === 'apply_patch_call' || item.type === 'local_shell_call' ? [item] : [],
    )
    await ask({ input: [question, ...items, ...OUTPUTS] })
    await ask({ input: OUTPUTS, previous_response_id: first.id })
    const conversation = {
      messages: [
        { role: 'user' },
        { role: 'assistant', content: CALLS.map(({ id, name }) => ({ type: 'tool_use', id, name })) },
        {
          role: 'user',
          content: [
            { tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'b.txt\n[exit code 0]' }] },
            { tool_use_id: 'toolu_2', is_error: true },
            { tool_use_id: 'toolu_3', content: [{ type: 'text', text: '/quay' }] },
          ],
        },
      ],
    }
    const [asked, ...next] = vendor.asked.map(({ body }) => body)
    expect(asked).toMatchObject({ tools: TOOLS.map(({ type }) => ({ name: type })) })
    expect(next).toMatchObject([conversation, conversation])
    for (const { detail } of await logs()) expect(detail).not.toHaveProperty('dropped_tools')
    expect(await app.audit()).toEqual([])
  },
)
