import { onTestFinished } from 'bun:test'

interface Stored {
  name: string
  key: string
  mimeType: string
  displayName?: string
  expected: number
  content: Uint8Array[]
  state: 'uploading' | 'PROCESSING' | 'ACTIVE'
}

interface Asked {
  key: string
  method: string
  path: string
  body: unknown
}

/** Google's files: uploads in the resumable protocol, and calls that may name a file of their own key alone. */
export const fakeGoogleFiles = () => {
  const files = new Map<string, Stored>()
  const asked: Asked[] = []
  let state: Stored['state'] = 'ACTIVE'
  let refuses: ((key: string) => Response | undefined) | undefined

  const describe = ({ name, mimeType, displayName, content, state: now }: Stored) => ({
    ...{ name, mimeType, displayName, state: now, source: 'UPLOADED' },
    ...{ sizeBytes: `${content.reduce((sum, { length }) => sum + length, 0)}` },
    uri: `https://generativelanguage.googleapis.com/v1beta/${name}`,
  })
  const denied = (name: string) =>
    Response.json(
      {
        error: {
          code: 403,
          message: `You do not have permission to access the File ${name}`,
          status: 'PERMISSION_DENIED',
        },
      },
      { status: 403 },
    )

  const start = (
    request: Request,
    key: string,
    origin: string,
    body: { file?: { name?: string } & Partial<Stored> },
  ) => {
    const { headers } = request
    if (headers.get('x-goog-upload-protocol') !== 'resumable' || headers.get('x-goog-upload-command') !== 'start')
      return new Response('Not resumable', { status: 400 })
    const { name = '', mimeType = '', displayName } = body.file ?? {}
    if (!/^files\/[a-z\d](?:[a-z\d-]{0,38}[a-z\d])?$/.test(name)) return new Response('A wrong name', { status: 400 })
    files.set(name, {
      ...{ name, key, mimeType, ...(displayName !== undefined && { displayName }), content: [], state: 'uploading' },
      expected: Number(headers.get('x-goog-upload-header-content-length')),
    })
    const url = `${origin}/upload/v1beta/files?upload_id=${name.slice(6)}&upload_protocol=resumable`
    return new Response('', {
      headers: {
        'x-goog-upload-url': url,
        'x-goog-upload-status': 'active',
        'x-goog-upload-chunk-granularity': '262144',
      },
    })
  }

  const proceed = async (request: Request, id: string) => {
    const file = files.get(`files/${id}`)
    if (file === undefined) return new Response('', { status: 404 })
    const command = request.headers.get('x-goog-upload-command') ?? ''
    const size = file.content.reduce((sum, { length }) => sum + length, 0)
    if (command === 'query')
      return new Response('', {
        headers: { 'x-goog-upload-status': 'active', 'x-goog-upload-size-received': `${size}` },
      })
    if (Number(request.headers.get('x-goog-upload-offset')) !== size) return new Response('A gap', { status: 400 })
    file.content.push(await request.bytes())
    if (!command.includes('finalize')) return new Response('', { headers: { 'x-goog-upload-status': 'active' } })
    file.state = state
    return Response.json({ file: describe(file) }, { headers: { 'x-goog-upload-status': 'final' } })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams, origin } = new URL(request.url)
      const key = request.headers.get('x-goog-api-key') ?? ''
      const upload = searchParams.get('upload_id')
      const answer = refuses?.(key)
      if (answer !== undefined) return answer
      if (upload !== null) return proceed(request, upload)
      const text = await request.text()
      const body = text === '' ? undefined : JSON.parse(text)
      asked.push({ key, method: request.method, path: pathname, body })
      if (pathname === '/upload/v1beta/files') return start(request, key, origin, body ?? {})
      const [name = ''] = /files\/[^/:]+$/.exec(pathname) ?? []
      if (name !== '') {
        const file = files.get(name)
        if (file === undefined || file.key !== key) return denied(name)
        if (request.method === 'DELETE') files.delete(name)
        return Response.json(request.method === 'DELETE' ? {} : describe(file))
      }
      const named = [...text.matchAll(/files\/([0-9a-f]+)"/g)].map(([, id]) => `files/${id}`)
      const foreign = named.find((one) => files.get(one)?.key !== key)
      if (foreign !== undefined) return denied(foreign)
      return Response.json({
        candidates: [{ content: { role: 'model', parts: [{ text: `Read ${named.length}` }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50, totalTokenCount: 150 },
      })
    },
  })
  onTestFinished(() => server.stop(true))
  return {
    url: `http://127.0.0.1:${server.port}`,
    files,
    asked,
    /** The state of files after their upload, and now. */
    become(next: 'PROCESSING' | 'ACTIVE') {
      state = next
      for (const file of files.values()) file.state = next
    },
    /** Answers this instead, by the key. */
    refuse(answer: (key: string) => Response | undefined) {
      refuses = answer
    },
  }
}
