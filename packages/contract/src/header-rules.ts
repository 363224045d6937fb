import { z } from 'zod'
import { RULE_VALUE_MAX } from './body-rules.ts'

/** A header to send or to leave out. A stored value is never answered: without one, an edit keeps it. */
export const HeaderRule = z.object({
  name: z.string().trim(),
  action: z.enum(['set', 'remove']),
  value: z.string().trim().optional(),
})

export type HeaderRule = z.infer<typeof HeaderRule>

const NAME_MAX = 128
const NAME = /^[!#$%&'*+.^_`|~0-9a-zA-Z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]+$/

/** The key, the body and the connection are the gateway's own to speak of. */
const CLOSED = new Set([
  ...['authorization', 'proxy-authorization', 'proxy-authenticate', 'proxy-connection', 'cookie', 'host', 'expect'],
  ...['content-length', 'content-type', 'content-encoding', 'accept-encoding', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'te', 'trailer', 'upgrade'],
])

/**
 * What is wrong with the first rule that is wrong: a code of the server's catalogue, and the header it is about.
 * `isStored` tells of which headers the server keeps a value.
 */
export function headerRuleFault(rules: readonly HeaderRule[], isStored: (name: string) => boolean = () => false) {
  const seen = new Set<string>()
  for (const { name: typed, action, value = '' } of rules) {
    const name = typed.slice(0, 64)
    const header = headerName(typed)
    if (typed.length > NAME_MAX || !NAME.test(typed)) return { code: 'channel.bad_header_name', name } as const
    if (CLOSED.has(header)) return { code: 'channel.closed_header', name } as const
    if (seen.has(header)) return { code: 'channel.header_twice', name } as const
    seen.add(header)
    if (action === 'remove') continue
    if (value === '' && !isStored(header)) return { code: 'channel.header_value_required', name } as const
    if (value !== '' && !isValue(value)) return { code: 'channel.bad_header_value', name } as const
  }
  return undefined
}

/** Names mean the same in capitals and not. */
export const headerName = (name: string) => name.trim().toLowerCase()

const isValue = (value: string) => value.length <= RULE_VALUE_MAX && VALUE.test(value)
