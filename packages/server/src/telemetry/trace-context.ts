/** Where a call stands in somebody's trace, as W3C's Trace Context tells it in headers. */
export interface TraceContext {
  traceId: string
  spanId: string
  isSampled: boolean
  /** Of whoever was there before, to be passed on as it is; empty where there is none. */
  state: string
}

const PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const STATE_MAX = 512
const MEMBERS_MAX = 32

/** What the caller says; undefined where it says nothing, or nothing that the standard knows. */
export const readTraceContext = (headers: Pick<Headers, 'get'>): TraceContext | undefined => {
  const [, version, traceId, spanId, flags, more] = PARENT.exec(headers.get('traceparent')?.trim() ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  // A later version may have more behind it; this one has not.
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state: stateIn(headers) }
}

export const traceHeaders = ({ traceId, spanId, isSampled, state }: TraceContext): Record<string, string> => ({
  traceparent: `00-${traceId}-${spanId}-0${Number(isSampled)}`,
  ...(state !== '' && { tracestate: state }),
})

/** The lower-case hex of so many random bytes, of which not all are 0. */
export const randomId = (bytes: 8 | 16): string => {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')
  return /^0+$/.test(id) ? randomId(bytes) : id
}

/** One that is too long, or not a list of `name=value`, is dropped; the trace goes on without. */
function stateIn(headers: Pick<Headers, 'get'>) {
  const state = headers.get('tracestate')?.trim() ?? ''
  const members = state.split(',').filter((member) => member.trim() !== '')
  const isList = members.every((member) => /^\s*[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x7e]{1,256}$/.test(member))
  return state.length <= STATE_MAX && members.length <= MEMBERS_MAX && isList ? state : ''
}
