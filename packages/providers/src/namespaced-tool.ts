import type { ChatRequest } from './chat.ts'
import { defined } from './json.ts'

/*
 * OpenAI's Responses group tools in namespaces: an MCP server, or a set of tools for one purpose. Other vendors have a flat
 * list of functions, so namespace and name are joined. The result depends on the two alone wherever possible, so that a
 * pair keeps its name in every turn of a conversation.
 */

export interface ToolName {
  name: string
  namespace?: string | undefined
}

const NAME_MAX = 64
const VALID = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

/** The flat names of offered tools; a tool known only from an earlier turn keeps its name from then. */
export function flatNames(offered: readonly ToolName[]): (called: ToolName) => string {
  const taken = new Set(offered.flatMap(({ name, namespace }) => (namespace === undefined ? [name] : [])))
  const own = new Map<string, string>()
  for (const tool of offered) {
    if (tool.namespace === undefined || own.has(pairOf(tool))) continue
    const name = freeName(tool, taken)
    taken.add(name)
    own.set(pairOf(tool), name)
  }
  const plain = new Set(offered.flatMap(({ name, namespace }) => (namespace === undefined ? [name] : [])))
  return (called) => {
    if (called.namespace !== undefined) return own.get(pairOf(called)) ?? freeName(called, taken)
    if (plain.has(called.name)) return called.name
    // Without a namespace, the only tool of that name is meant.
    const [only, ...others] = offered.filter(({ name }) => name === called.name)
    return only !== undefined && others.length === 0 ? (own.get(pairOf(only)) ?? called.name) : called.name
  }
}

const pairOf = ({ namespace, name }: ToolName) => JSON.stringify([namespace, name])

function freeName(tool: ToolName, taken: ReadonlySet<string>) {
  const namespace = tool.namespace ?? ''
  const joined = namespace.endsWith('__') ? namespace + tool.name : `${namespace}__${tool.name}`
  if (VALID.test(joined) && !taken.has(joined)) return joined
  const clean = joined.replaceAll(/[^A-Za-z0-9_-]/g, '_').replace(/^(?=[0-9-])/, '_')
  for (let salt = 0; ; salt++) {
    const mark = `_${fingerprint(`${salt}${pairOf(tool)}`)}`
    const name = clean.slice(0, NAME_MAX - mark.length) + mark
    if (!taken.has(name)) return name
  }
}

/** FNV-1a: it only has to distinguish similar names. */
function fingerprint(text: string) {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** The caller's name for a tool that the model called by its flat name. */
export function callerNames({ tools = [] }: ChatRequest): (name: string) => ToolName {
  const known = new Map(tools.flatMap(({ name, namespace }) => (namespace === undefined ? [] : [[name, namespace]])))
  return (name) => {
    const own = known.get(name)
    return own === undefined ? { name } : { name: own.tool, namespace: own.name }
  }
}

/** The members that name a tool in Responses; without a namespace the member is absent. */
export const namedAs = ({ name, namespace }: ToolName) => defined({ name, namespace })
