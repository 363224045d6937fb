import { z } from 'zod'
import { RULE_VALUE_MAX } from './body-rules.ts'

/** A header to send or to remove. Stored values are write-only: an edit without a value keeps the stored one. */
export const HeaderRule = z.object({
  name: z.string().trim(),
  action: z.enum(['set', 'remove']),
  value: z.string().trim().optional(),
})

export type HeaderRule = z.infer<typeof HeaderRule>

const NAME_MAX = 128
const NAME = /^[!#$%&'*+.^_`|~0-9a-zA-Z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]+$/

/** Headers about the key, the body and the connection are set by the gateway itself. */
const CLOSED = new Set([
  ...['authorization', 'proxy-authorization', 'proxy-authenticate', 'proxy-connection', 'cookie', 'host', 'expect'],
  ...['content-length', 'content-type', 'content-encoding', 'accept-encoding', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'te', 'trailer', 'upgrade'],
])

/**
 * The first invalid rule: a code of the server's error catalogue, and the header it concerns. `isStored` says for which
 * headers the server has a value.
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

/** Header names are case-insensitive. */
export const headerName = (name: string) => name.trim().toLowerCase()

const isValue = (value: string) => value.length <= RULE_VALUE_MAX && VALUE.test(value)
