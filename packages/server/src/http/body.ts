import type { EndpointShape } from '@tollgate/contract'
import { bodyFailure } from '../common/body-failure.ts'
import { GatewayError } from '../common/errors.ts'
import { refuseUnstorable } from './storable.ts'

/** The largest document an option may hold, with room for its JSON. */
const BODY_MAX = 4 * 1024 * 1024
/** What visitors may send: reading millions of names would take the thread from everybody. */
const VISITOR_BODY_MAX = 256 * 1024

type Bounds = Pick<EndpointShape, 'access' | 'bodyMax'>

/** Only a body that contains one of these needs the check of `refuseUnsound`. */
const SUSPICIOUS = /__proto__|\\u/

/** Reads a bounded JSON body. An absent body is an empty object: some calls have only optional members. */
export const readJson = async (request: Request, { access, bodyMax = BODY_MAX }: Bounds): Promise<unknown> => {
  const text = await readText(request, access === 'public' ? VISITOR_BODY_MAX : bodyMax).catch((error) => {
    throw bodyFailure(error)
  })
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new GatewayError('input.malformed_json')
  }
  if (SUSPICIOUS.test(text)) refuseUnsound(value)
  return value
}

async function readText(request: Request, maxBytes: number) {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw new GatewayError('input.too_large')
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new GatewayError('input.too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Iterative, so that a body of a million brackets costs no stack. */
function refuseUnsound(value: unknown) {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') refuseUnstorable(next)
    if (typeof next !== 'object' || next === null) continue
    for (const [name, member] of Object.entries(next)) {
      if (name === '__proto__') throw new GatewayError('input.reserved_name')
      refuseUnstorable(name)
      open.push(member)
    }
  }
}
