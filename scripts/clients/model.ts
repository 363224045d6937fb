import { FIRST, QUESTION, SECOND } from '../../packages/server/src/testing/clients/conversation.ts'
import {
  type Fields,
  fields,
  list,
  type VendorAnswer,
} from '../../packages/server/src/testing/vendors/strict-vendor.ts'

/* The model behind the fake vendors: its answer follows from the conversation so far. */

/** The user's prompts, each with a word in front by which the model recognises it. */
export const PROMPTS = {
  text: 'HARBOUR-TEXT: say one sentence about the harbour.',
  tools: 'HARBOUR-TOOLS: read low.txt and high.txt, then write tides.txt.',
  thinking: 'HARBOUR-THINKING: think, read low.txt, then answer.',
  abort: 'HARBOUR-ABORT: tell a long story about the harbour.',
} as const

export type Prompt = keyof typeof PROMPTS

export const FILES = { 'low.txt': 'LOW-WATER-0412', 'high.txt': 'HIGH-WATER-1031' }
export const WRITTEN = 'TIDES-WRITTEN-BY-THE-MODEL'
export const SENTENCES: Record<Prompt, string> = {
  text: 'The harbour is open at dawn.',
  tools: 'Both tides are in the file now.',
  thinking: 'Low water comes first, as thought.',
  abort: 'Once upon a tide. ',
}

const USAGE = { input: 1200, cached: 200, output: 90, thought: 0 }

/** The next answer. `folder` is where the program works. */
export const nextAnswer = (body: Fields, folder: string): VendorAnswer => {
  const text = JSON.stringify(body)
  const tools = offeredTools(body)
  const prompt = promptIn(text)
  // The conversation of the client libraries; the word is only in the weather report.
  if (text.includes(QUESTION)) return text.includes('sky') ? SECOND : FIRST
  // Agents also request titles and summaries, without tools.
  if (prompt === undefined || (tools.size === 0 && prompt !== 'abort')) return { text: SENTENCES.text, usage: USAGE }
  const spoken = { text: SENTENCES[prompt], usage: USAGE }
  const missing = Object.entries(FILES).filter(([, content]) => !text.includes(content))
  if (prompt === 'abort') return { ...spoken, text: SENTENCES.abort.repeat(2000) }
  if (prompt === 'thinking' && missing.some(([name]) => name === 'low.txt')) {
    return { ...FIRST, text: 'A moment.', calls: [readCall(tools, folder, 'low.txt', 0)] }
  }
  if (prompt !== 'tools') return spoken
  if (missing.length > 0) {
    const calls = Object.keys(FILES).map((name, index) => readCall(tools, folder, name, index))
    return { text: 'Both at once.', calls, usage: USAGE }
  }
  return text.includes(WRITTEN) ? spoken : { calls: [writeCall(tools, folder)], usage: USAGE }
}

/** Of several, the newest: a program's memory of an earlier one comes first. */
const promptIn = (text: string) =>
  (['text', 'tools', 'thinking', 'abort'] as const)
    .map((prompt) => ({ prompt, at: text.lastIndexOf(`HARBOUR-${prompt.toUpperCase()}:`) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => other.at - one.at)[0]?.prompt

/** The tools of a request in any dialect, with their argument names. */
function offeredTools({ tools, toolConfig, parameters: settings }: Fields) {
  const all = tools ?? fields(toolConfig).tools ?? fields(settings).tools
  const declared = list(all).flatMap((tool): Fields[] => {
    const { functionDeclarations, function: own, toolSpec = own } = fields(tool)
    if (Array.isArray(functionDeclarations)) return functionDeclarations.map(fields)
    return [toolSpec === undefined ? fields(tool) : fields(toolSpec)]
  })
  const schemaOf = ({ parameters, parametersJsonSchema, input_schema, inputSchema }: Fields) =>
    fields(parameters ?? parametersJsonSchema ?? input_schema ?? fields(inputSchema).json)
  return new Map(declared.map((tool) => [String(tool.name), Object.keys(fields(schemaOf(tool).properties))]))
}

type Tools = ReturnType<typeof offeredTools>

const PATHS = ['file_path', 'absolute_path', 'filePath', 'path']

function callOf(tools: Tools, names: readonly string[], args: (offered: readonly string[]) => Fields, index: number) {
  const name = names.find((candidate) => tools.has(candidate))
  if (name === undefined) throw new Error(`None of ${names.join(', ')} is among ${[...tools.keys()].join(', ')}`)
  return { id: `call_harbour_${index}`, name, args: args(tools.get(name) ?? []) }
}

const shellArgs = (offered: readonly string[], command: string): Fields => ({
  ...(offered.includes('commands')
    ? { commands: [command] }
    : { [offered.includes('cmd') ? 'cmd' : 'command']: command }),
  ...(offered.includes('description') ? { description: 'Tides' } : {}),
})

function readCall(tools: Tools, folder: string, file: string, index: number) {
  const names = ['Read', 'read_file', 'read', 'exec_command', 'shell_command', 'run_commands']
  return callOf(
    tools,
    names,
    (offered) => {
      const path = PATHS.find((name) => offered.includes(name))
      return path === undefined ? shellArgs(offered, `cat ${file}`) : { [path]: `${folder}/${file}` }
    },
    index,
  )
}

function writeCall(tools: Tools, folder: string) {
  const names = ['Write', 'write_file', 'write', 'exec_command', 'shell_command', 'bash', 'run_commands']
  return callOf(
    tools,
    names,
    (offered) => {
      const path = PATHS.find((name) => offered.includes(name))
      if (path === undefined) return shellArgs(offered, `printf ${WRITTEN} > tides.txt`)
      return { [path]: `${folder}/tides.txt`, content: WRITTEN }
    },
    2,
  )
}
