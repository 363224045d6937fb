import { GatewayError } from '../errors.ts'

/** The largest document an option may hold, with room for its JSON. */
const BODY_MAX = 4 * 1024 * 1024

/** Reads a JSON body within bounds. An absent body is an empty object: some calls have nothing but optional members. */
export const readJson = async (request: Request): Promise<unknown> => {
  const text = await readText(request)
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new GatewayError('input.malformed_json')
  }
  if (text.includes('__proto__') && hasProtoKey(value)) {
    throw new GatewayError('input.malformed', { field: '__proto__', reason: '✗' })
  }
  return value
}

async function readText(request: Request) {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_MAX) throw new GatewayError('input.too_large')
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > BODY_MAX) throw new GatewayError('input.too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Walks without recursion, so that a body of a million brackets costs no stack. */
function hasProtoKey(value: unknown) {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if (Object.hasOwn(next, '__proto__')) return true
    open.push(...Object.values(next))
  }
  return false
}
