import type { Provider } from '@tollgate/providers'
import type { ApiFamily } from './api-family.ts'

/** An agent's session: an id that groups its calls, and headers for its own vendor. */
export interface AgentSession {
  id: string | undefined
  headers: Record<string, string>
}

const CLAUDE_ID = 'x-claude-code-session-id'
const CODEX_IDS = ['session_id', 'session-id', 'conversation_id']
const CODEX_NAMES = /^(?:session[-_]id|conversation_id|originator|x-codex-[a-z0-9-]{1,40})$/

const HEADERS_MAX = 20
const VALUE = /^[\t\x20-\x7e]{1,4096}$/
const ID = /^[\x21-\x7e]{1,128}$/

/** Reads what Claude Code and Codex send, and the conversation ids of other clients of the same APIs. */
export const readAgentSession = (headers: Headers, body: Record<string, unknown>): AgentSession => {
  const claude = headers.get(CLAUDE_ID)
  const codex = CODEX_IDS.map((name) => headers.get(name)).find((value) => value !== null)
  const { metadata, prompt_cache_key, conversation } = body
  const named = [claude, codex, sessionIn(Object(metadata).user_id), prompt_cache_key, idOf(conversation)]
  const id = named.find((value): value is string => typeof value === 'string' && ID.test(value))
  const isCodex = codex !== undefined || headers.has('originator')
  return { id, headers: claude === null && !isCodex ? NONE : sessionHeaders(headers) }
}

const NONE = {}

/** Sent only to the agent's own vendor: they reveal a user's machine and account. */
export const headersForVendor = (
  { headers }: AgentSession,
  family: ApiFamily,
  { name }: Provider,
): Record<string, string> => {
  if (headers === NONE || OWN_VENDOR[family] !== name) return NONE
  return Object.fromEntries(
    Object.entries(headers).filter(([header]) => (header === CLAUDE_ID) === (name === 'anthropic')),
  )
}

const OWN_VENDOR: Record<ApiFamily, string | undefined> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: undefined,
}

function sessionHeaders(headers: Headers) {
  const kept: Record<string, string> = {}
  let count = 0
  headers.forEach((value, name) => {
    if (count >= HEADERS_MAX || (name !== CLAUDE_ID && !CODEX_NAMES.test(name)) || !VALUE.test(value)) return
    kept[name] = value
    count++
  })
  return kept
}

/** Claude Code puts it into the user id: as JSON, and in earlier versions after a marker. */
function sessionIn(user: unknown) {
  if (typeof user !== 'string' || user.length > 1024) return undefined
  const [, session] = /_session_([0-9a-f-]{36})$/.exec(user) ?? /"session_id"\s*:\s*"([^"\\]+)"/.exec(user) ?? []
  return session
}

const idOf = (conversation: unknown): unknown =>
  typeof conversation === 'object' && conversation !== null && 'id' in conversation ? conversation.id : conversation
