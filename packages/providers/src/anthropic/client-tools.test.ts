import { expect, test } from 'bun:test'
import { openai } from '../compatible/vendors.ts'
import { gemini } from '../gemini/gemini.ts'
import { encoded, failureFrom, offered } from '../testing/vendor-kit.ts'
import { anthropicMessages } from './dialect.ts'

const body = { model: 'claude-x', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }
const TOOLS = [
  { type: 'bash_20250124', name: 'bash' },
  { type: 'text_editor_20250124', name: 'str_replace_editor' },
  { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 100 },
  { type: 'computer_20250124', name: 'computer', display_width_px: 1024, display_height_px: 768 },
  { type: 'memory_20250818', name: 'memory' },
  { type: 'custom', name: 'tide', input_schema: { type: 'object', properties: {} } },
]

test('client tools that Anthropic defines become functions for other models', async () => {
  const request = anthropicMessages.parse({ ...body, tools: TOOLS, tool_choice: { type: 'tool', name: 'bash' } })
  expect(request.tools?.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
  const { body: sent } = await encoded(offered(openai, 'chat'), { ...request, model: 'gpt-4o' })
  expect(sent.tool_choice).toEqual({ type: 'function', function: { name: 'bash' } })
  expect(sent.tools[0].function.parameters.properties).toMatchObject({ command: { type: 'string' } })
  expect(sent.tools[1].function.parameters.properties.command.enum).toContain('undo_edit')
  expect(sent.tools[2].function.parameters.properties.command.enum).not.toContain('undo_edit')
  expect(sent.tools[3].function.description).toContain('1024')
  const { body: google } = await encoded(offered(gemini, 'chat'), { ...request, model: 'gemini-2.5-pro' })
  expect(google.tools[0].functionDeclarations).toHaveLength(TOOLS.length)
})

test('a tool that runs at Anthropic is refused by its name', async () => {
  const { message } = await failureFrom(() =>
    anthropicMessages.parse({ ...body, tools: [{ type: 'code_execution_20250522', name: 'code_execution' }] }),
  )
  expect(message).toContain("the tool 'code_execution_20250522' runs at Anthropic")
})
