import { CONSOLE_HEADER } from '@tollgate/contract'

/** A parsed answer of the management API. */
export interface Answered {
  status: number
  headers: Headers
  success: boolean
  message: string
  // `data` depends on the call, and each test states its expectation; for a file it is the text.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  data: any
  body: Record<string, unknown>
}

export type Client = ReturnType<typeof createClient>

/** An HTTP client that keeps cookies like a browser, and sends the console's proof header. */
export const createClient = (url: string, initial: { cookie?: string; headers?: Record<string, string> } = {}) => {
  const cookies = new Map<string, string>()
  if (initial.cookie !== undefined) keep(cookies, initial.cookie)
  const baseHeaders = initial.headers ?? {}

  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        [CONSOLE_HEADER]: '1',
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...baseHeaders,
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie)
    // Event streams have no end; tests read them themselves.
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isEvents) await response.body?.cancel()
    const text = isEvents ? '' : await response.text()
    const isFile = isEvents || response.headers.has('content-disposition')
    const parsed = isFile ? { success: true, message: '', data: text } : text.startsWith('{') ? JSON.parse(text) : {}
    const { success = false, message = text, data } = parsed
    const answered: Answered = {
      status: response.status,
      headers: response.headers,
      success,
      message,
      data,
      body: parsed,
    }
    return answered
  }

  return {
    cookies,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send('POST', path, body ?? {}, headers),
    put: (path: string, body?: unknown, headers?: Record<string, string>) => send('PUT', path, body ?? {}, headers),
    delete: (path: string, headers?: Record<string, string>) => send('DELETE', path, undefined, headers),
    send,
  }
}

function keep(cookies: Map<string, string>, header: string) {
  const [pair = '', ...attributes] = header.split(';')
  const [name = '', value = ''] = pair.split('=', 2)
  if (value === '' || attributes.some((attribute) => attribute.trim() === 'Max-Age=0')) cookies.delete(name)
  else cookies.set(name, value)
}
