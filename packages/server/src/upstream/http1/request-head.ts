import { Fault } from '../fault.ts'

export type RequestBody = string | Uint8Array | ReadableStream<Uint8Array>

export interface WireRequest {
  method: string
  /** With its query; percent-encoded, as in a URL. */
  path: string
  headers: Record<string, string>
  body: RequestBody | undefined
}

/** The head of a request. Names and values come from callers and settings: none may inject a line. */
export const requestHead = ({ method, path, headers, body }: WireRequest): string => {
  let head = `${method} ${path} HTTP/1.1\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!NAME.test(name) || FORBIDDEN.test(value)) throw new Fault(`a header that cannot be sent: ${name.slice(0, 64)}`)
    head += `${name}: ${value}\r\n`
  }
  if (body instanceof ReadableStream) return `${head}transfer-encoding: chunked\r\n\r\n`
  if (body === undefined && !EXPECTS_BODY.has(method)) return `${head}\r\n`
  return `${head}content-length: ${body === undefined ? 0 : Buffer.byteLength(body)}\r\n\r\n`
}

const NAME = /^[!#$%&'*+.^_`|~0-9a-zA-Z-]+$/
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH'])
