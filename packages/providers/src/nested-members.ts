import type { ChatRequest } from './chat.ts'

/**
 * Members inside messages and tools that only some vendors have. Adapters declare them among those that they carry, under these
 * names; otherwise they are named in the log.
 */
export const NESTED = {
  'messages.name': ({ messages }) => messages.some((message) => message.role === 'user' && message.name !== undefined),
  'messages.is_error': ({ messages }) =>
    messages.some((message) => message.role === 'tool' && message.isError === true),
  'messages.content.detail': ({ messages }) =>
    messages.some(({ content }) => content.some((part) => part.type === 'image' && (part.detail ?? 'auto') !== 'auto')),
  'messages.content.filename': ({ messages }) =>
    messages.some(({ content }) => content.some((part) => part.type === 'file' && part.name !== undefined)),
  'tools.strict': ({ tools = [] }) => tools.some(({ strict }) => strict === true),
} as const satisfies Record<string, (request: ChatRequest) => boolean>

export type NestedMember = keyof typeof NESTED

/** The nested members of a request that are not among the carried ones. */
export const lostNested = (request: ChatRequest, carried: ReadonlySet<string>) =>
  (Object.keys(NESTED) as NestedMember[]) // the keys of a literal
    .filter((name) => !carried.has(name) && NESTED[name](request))
