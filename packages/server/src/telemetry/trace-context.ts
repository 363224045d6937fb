/** A call's position in a trace, as in the headers of W3C Trace Context. */
export interface TraceContext {
  traceId: string
  spanId: string
  isSampled: boolean
  /** The caller's `tracestate`, passed on unchanged; empty for none. */
  state: string
}

const PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const STATE_MAX = 512
const MEMBERS_MAX = 32

/** The caller's context; undefined when absent or invalid. */
export const readTraceContext = (headers: Pick<Headers, 'get'>): TraceContext | undefined => {
  const [, version, traceId, spanId, flags, more] = PARENT.exec(headers.get('traceparent')?.trim() ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  // Later versions may have more fields; this one has not.
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state: stateIn(headers) }
}

export const traceHeaders = ({ traceId, spanId, isSampled, state }: TraceContext): Record<string, string> => ({
  traceparent: `00-${traceId}-${spanId}-0${Number(isSampled)}`,
  ...(state !== '' && { tracestate: state }),
})

/** Random bytes as lower-case hex, not all of them 0. */
export const randomId = (bytes: 8 | 16): string => {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')
  return /^0+$/.test(id) ? randomId(bytes) : id
}

/** An invalid or too long list is dropped; the trace continues without it. */
function stateIn(headers: Pick<Headers, 'get'>) {
  const state = headers.get('tracestate')?.trim() ?? ''
  const members = state.split(',').filter((member) => member.trim() !== '')
  const isList = members.every((member) => /^\s*[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x7e]{1,256}$/.test(member))
  return state.length <= STATE_MAX && members.length <= MEMBERS_MAX && isList ? state : ''
}
