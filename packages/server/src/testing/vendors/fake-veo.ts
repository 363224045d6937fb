import { onTestFinished } from 'bun:test'
import { isFields } from '@tollgate/providers'

const PARAMETERS = ['aspectRatio', 'resolution', 'durationSeconds', 'negativePrompt', 'personGeneration', 'sampleCount']

export const VEO_VIDEO_BYTES = Buffer.alloc(3_000_000, 'veo')

/**
 * Google's Veo according to its public documentation, strict about its requests: an operation waits until the test decides its outcome.
 * A file requires the key, and is a redirect to storage that must not see it.
 */
export const fakeVeo = () => {
  const asked: { method: string; path: string; headers: Headers; body?: Record<string, unknown> }[] = []
  const operations = new Map<string, Record<string, unknown>>()
  let broken: (() => Response) | undefined

  const create = (model: string, body: Record<string, unknown>) => {
    const [instance] = Array.isArray(body.instances) ? body.instances : []
    const parameters = isFields(body.parameters) ? body.parameters : {}
    const foreign = Object.keys(parameters).find((name) => !PARAMETERS.includes(name))
    if (foreign !== undefined) return refused(400, `Unknown name "${foreign}" at 'parameters'`)
    const { aspectRatio, resolution = '720p', durationSeconds } = parameters
    if (!isFields(instance) || typeof instance.prompt !== 'string') return refused(400, 'A prompt is required.')
    if (aspectRatio !== '16:9' && aspectRatio !== '9:16') return refused(400, 'The aspect ratio is not supported.')
    if (typeof durationSeconds !== 'number' || ![4, 6, 8].includes(durationSeconds))
      return refused(400, 'The number value for `durationSeconds` is out of bound.')
    if (resolution !== '720p' && durationSeconds !== 8) return refused(400, 'Only 8 seconds are supported.')
    const name = `models/${model}/operations/op-${operations.size + 1}`
    operations.set(name, { name })
    return broken?.() ?? Response.json({ name })
  }

  let storage = ''
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const { method, headers } = request
      const json: unknown = method === 'POST' ? await request.json() : undefined
      const body = isFields(json) ? json : undefined
      asked.push({ method, path: pathname, headers, ...(body !== undefined && { body }) })
      if (pathname === '/storage/film.mp4') {
        if (headers.has('x-goog-api-key')) return refused(400, 'The key is nobody’s business here')
        return new Response(VEO_VIDEO_BYTES, { headers: { 'content-type': 'video/mp4' } })
      }
      if (headers.get('x-goog-api-key') !== 'k-google') return refused(400, 'API key not valid.')
      const [, model] = /^\/v1beta\/models\/([\w.-]+):predictLongRunning$/.exec(pathname) ?? []
      if (model !== undefined && body !== undefined) return create(model, body)
      const operation = operations.get(pathname.slice('/v1beta/'.length))
      if (operation !== undefined && method === 'GET') return Response.json(operation)
      if (pathname === '/v1beta/files/film:download' && searchParams.get('alt') === 'media')
        return new Response(null, { status: 302, headers: { location: storage } })
      return refused(404, 'Not found.')
    },
  })
  onTestFinished(() => server.stop(true))
  const url = `http://127.0.0.1:${server.port}`
  storage = `${url}/storage/film.mp4`

  return {
    url,
    asked,
    /** The next creations are accepted, but answered with this. */
    breaks(answer: typeof broken) {
      broken = answer
    },
    /** Where videos are stored from now on. */
    storesAt(address: string) {
      storage = address
    },
    /** Decides the outcome of the last requested operation. */
    ends(end: Record<string, unknown> = {}) {
      const operation = [...operations.values()].at(-1)
      if (operation === undefined) throw new Error('No video was asked for')
      const uri = 'https://generativelanguage.googleapis.com/v1beta/files/film:download?alt=media'
      const response = { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } }
      Object.assign(operation, { done: true, response, ...end })
    },
  }
}

const refused = (code: number, message: string) =>
  Response.json({ error: { code, message, status: 'INVALID_ARGUMENT' } }, { status: code })
