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

test.each([
  ['code_execution_20250522', 'runs at Anthropic'],
  ['web_fetch_20260318', 'runs at Anthropic'],
  ['computer_toolset_20260801', "is known to Anthropic's models only"],
  ['browser_toolset_20260801', "is known to Anthropic's models only"],
  ['levitate_20270101', "is known to Anthropic's models only"],
])('a tool that no other model can have is refused by its name: %s', async (type, reason) => {
  // A toolset has no name.
  for (const more of [{}, { name: 'tool' }]) {
    const { message, status } = await failureFrom(() =>
      anthropicMessages.parse({ ...body, tools: [{ type, ...more }] }),
    )
    expect(message).toBe(
      `Invalid 'tools[0].type': the tool '${type}' ${reason} and can not be given to this channel's model`,
    )
    expect(status).toBe(400)
  }
})

test('the search among tools is dropped, and the model has all tools from the beginning', () => {
  const search = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }
  const tide = { name: 'tide', input_schema: { type: 'object', properties: {} }, defer_loading: true }
  const request = anthropicMessages.parse({ ...body, tools: [search, tide] })
  expect(request.tools?.map(({ name }) => name)).toEqual(['tide'])
  expect(request.droppedTools).toEqual([search.type])
  expect(anthropicMessages.parse({ ...body, tools: [search] }).tools).toBeUndefined()
})
