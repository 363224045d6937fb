import type { ChatRequest, ChatTool } from '../chat.ts'
import { customTool } from '../custom-tool.ts'
import { defined } from '../json.ts'
import { flatNames, type ToolName } from '../namespaced-tool.ts'
import { shownKind } from '../other-kind.ts'
import { badRequest } from '../strict.ts'
import { toolParameters } from '../tool-parameters.ts'
import { type ClientTool, clientTool, isClientTool } from './client-tools.ts'
import type { NamedTool, Tool, ToolChoice } from './tool-schema.ts'
import { webSearchIn } from './web-search.ts'

interface Offered {
  tools?: Tool[] | undefined
  tool_choice?: ToolChoice | undefined
}

interface ToolMembers extends Pick<ChatRequest, 'tools' | 'toolChoice' | 'droppedTools' | 'webSearch'> {
  names: ToolNames
}

export interface ToolNames {
  /** The flat name under which the model knows the caller's tool. */
  nameOf(called: ToolName): string
  clientName(type: ClientTool): string
}

/** The offered functions under names that every vendor accepts, and which of them may or must be called. */
export function toTools({ tools, tool_choice: choice }: Offered): Partial<ToolMembers> & Pick<ToolMembers, 'names'> {
  const own = (tools ?? []).flatMap(membersOf)
  const names = namesOf(own)
  const { nameOf } = names
  const all = (tools ?? []).flatMap((tool) =>
    isClient(tool)
      ? [clientTool(tool.type, names.clientName(tool.type), tool)]
      : membersOf(tool).map((member) => toTool(member, nameOf)),
  )
  const dropped = droppedIn(tools ?? [])
  const webSearch = webSearchIn(tools ?? [])
  const members = {
    names,
    ...(dropped.length === 0 ? {} : { droppedTools: dropped }),
    ...(webSearch === undefined ? {} : { webSearch }),
  }
  const offered = tools === undefined ? {} : { tools: all }
  if (choice === undefined) return { ...members, ...offered }
  if (typeof choice === 'string') {
    if (choice === 'required' && all.length === 0 && dropped[0] !== undefined) throw notHere('tool_choice', dropped[0])
    return { ...members, ...offered, toolChoice: choice }
  }
  if (isAllowed(choice)) {
    const allowed = all.filter((tool) => choice.tools.some((named) => isMeant(named, tool, nameOf)))
    const missing = choice.tools.find(({ type }) => !isFunction(type) && !isClientTool(type) && type !== 'namespace')
    if (choice.mode === 'required' && allowed.length === 0 && missing !== undefined) {
      throw notHere('tool_choice', missing.type)
    }
    return { ...members, tools: allowed, toolChoice: choice.mode }
  }
  if (isClientTool(choice.type)) {
    return { ...members, ...offered, toolChoice: { name: names.clientName(choice.type) } }
  }
  if (!isFunction(choice.type) || choice.name === undefined) throw notHere('tool_choice', choice.type)
  return { ...members, ...offered, toolChoice: { name: nameOf({ ...choice, name: choice.name }) } }
}

/** A client tool is named after its type, unless the caller has a tool with that name. */
function namesOf(own: readonly Member[]): ToolNames {
  const nameOf = flatNames(own.map(({ tool, namespace }) => ({ name: tool.name, namespace: namespace?.name })))
  const taken = new Set(own.map(({ tool, namespace }) => (namespace === undefined ? tool.name : undefined)))
  return { nameOf, clientName: (type) => (taken.has(type) ? nameOf({ namespace: 'openai', name: type }) : type) }
}

const isClient = (tool: Tool): tool is Extract<Tool, { type: ClientTool }> => isClientTool(tool.type)

type Known = Extract<Tool, { type: 'function' | 'custom' }>
type Namespace = Extract<Tool, { type: 'namespace' }>

interface Member {
  tool: Known
  namespace?: Namespace
  /** The description of a namespace is added once. */
  isFirst?: boolean
}

function membersOf(tool: Tool): Member[] {
  if (tool.type === 'other' || isClient(tool)) return []
  if (tool.type !== 'namespace') return [{ tool }]
  const known = tool.tools.flatMap((member) => (member.type === 'other' ? [] : [member]))
  return known.map((member, index) => ({ tool: member, namespace: tool, isFirst: index === 0 }))
}

function toTool({ tool, namespace, isFirst }: Member, nameOf: (called: ToolName) => string): ChatTool {
  const plain = toPlainTool(tool)
  if (namespace === undefined) return plain
  const { name, description } = namespace
  const about = isFirst && description ? `About all tools of ${name}: ${description}` : undefined
  const fullDescription = [plain.description, about].filter((text) => text).join('\n\n')
  return {
    ...plain,
    name: nameOf({ name: tool.name, namespace: name }),
    ...(fullDescription === '' ? {} : { description: fullDescription }),
    namespace: defined({ name, description, tool: tool.name, toolDescription: tool.description }),
  }
}

function toPlainTool(tool: Known): ChatTool {
  const { name, description } = tool
  if (tool.type === 'custom') {
    const { syntax, definition } = tool.format ?? {}
    return customTool({ name, description, grammar: definition === undefined ? undefined : { syntax, definition } })
  }
  const { parameters, strict } = tool
  return defined({ name, description, parameters: toolParameters(parameters), strict })
}

const isAllowed = (choice: Exclude<ToolChoice, string>): choice is Extract<ToolChoice, { mode: unknown }> =>
  'mode' in choice && Array.isArray(choice.tools)

const isFunction = (type: string) => type === 'function' || type === 'custom'

function isMeant(named: NamedTool, tool: ChatTool, nameOf: (called: ToolName) => string) {
  // A whole namespace may be allowed by its name.
  if (named.type === 'namespace') return tool.namespace?.name === named.name
  if (isClientTool(named.type)) return tool.client?.type === named.type
  return isFunction(named.type) && named.name !== undefined && nameOf({ ...named, name: named.name }) === tool.name
}

/**
 * Tools a call depends on: naming files, a server or a screen means asking about them. Other tools are offered by clients
 * with every request, and a model can answer without them.
 */
const ESSENTIAL = /^(file_search|mcp|code_interpreter|computer)/

/** They come from the caller and are written to the log, so they are bounded. */
const KINDS_MAX = 20

function droppedIn(tools: readonly Tool[]): string[] {
  const kinds = tools.flatMap((tool, index) => {
    if (tool.type === 'other' && ESSENTIAL.test(tool.kind)) throw notHere(`tools[${index}].type`, tool.kind)
    if (tool.type === 'other') return [tool.kind]
    if (isClient(tool) && (tool.environment?.type ?? 'local') !== 'local') throw hosted(`tools[${index}].environment`)
    return tool.type === 'namespace' ? tool.tools.flatMap((own) => (own.type === 'other' ? [own.kind] : [])) : []
  })
  return [...new Set(kinds.map(shownKind))].slice(0, KINDS_MAX)
}

const notHere = (param: string, kind: string) =>
  badRequest(param, `the tool '${shownKind(kind)}' can not be given to this channel's model`)

const hosted = (param: string) =>
  badRequest(param, "a shell in a container runs at OpenAI and can not be given to this channel's model")
