import { onTestFinished } from 'bun:test'
import { isFields } from '@tollgate/providers'

interface VendorVideo {
  id: string
  key: string
  shown: Record<string, unknown>
}

const SECONDS = ['4', '8', '12']
const SIZES = ['720x1280', '1280x720', '1024x1792', '1792x1024']
const CREATED_WITH = ['prompt', 'model', 'seconds', 'size', 'input_reference']

/** The content of a finished video: more than one chunk of a body. */
export const VIDEO_BYTES = Buffer.alloc(3_000_000, 'video')

/**
 * OpenAI's Videos API according to its public documentation, strict about its requests: a video waits until the test decides its
 * outcome. Only the key that requested it can see it.
 */
export const fakeVideos = () => {
  const videos = new Map<string, VendorVideo>()
  const asked: { method: string; path: string; key: string; body?: Record<string, unknown> }[] = []
  let count = 0
  /** The content of a video, if not the usual one. */
  let content: (() => ReadableStream) | undefined
  /** Answers the next creations with this instead. */
  let broken: (() => Response | Promise<Response>) | undefined

  const make = (key: string, more: Record<string, unknown>) => {
    const id = `video_up${++count}`
    const shown = {
      ...{
        id,
        object: 'video',
        created_at: Math.floor(Date.now() / 1000),
        completed_at: null,
        expires_at: null,
        status: 'queued',
        progress: 0,
      },
      ...{ error: null, remixed_from_video_id: null, ...more },
    }
    videos.set(id, { id, key, shown })
    return shown
  }

  const create = async (key: string, body: Record<string, unknown>) => {
    const foreign = Object.keys(body).find((name) => !CREATED_WITH.includes(name))
    if (foreign !== undefined) return refused(400, `Unknown parameter: '${foreign}'.`)
    const { prompt, model, seconds = '4', size = '720x1280' } = body
    if (typeof prompt !== 'string') return refused(400, "Missing required parameter: 'prompt'.")
    if (typeof seconds !== 'string' || !SECONDS.includes(seconds)) return refused(400, "Invalid value for 'seconds'.")
    if (typeof size !== 'string' || !SIZES.includes(size)) return refused(400, "Invalid value for 'size'.")
    const made = make(key, { prompt, model, seconds, size })
    return (await broken?.()) ?? Response.json(made)
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const key = (request.headers.get('authorization') ?? '').slice(7)
      const { method } = request
      const [, , noun, id = '', part = ''] = pathname.split('/')
      const body = method === 'POST' ? await bodyOf(request) : undefined
      asked.push({ method, path: pathname, key, ...(body !== undefined && { body }) })
      if (noun !== 'videos') return refused(404, `Invalid URL (${method} ${pathname})`)
      if (body !== undefined && id === '') return create(key, body)
      if (id === '') {
        const data = [...videos.values()].filter((one) => one.key === key).map(({ shown }) => shown)
        return Response.json({ object: 'list', data, has_more: false })
      }
      const video = videos.get(id)
      if (video?.key !== key) return refused(404, `Video with id '${id}' not found.`)
      const { shown } = video
      if (method === 'DELETE') {
        videos.delete(id)
        return Response.json({ id, object: 'video.deleted', deleted: true })
      }
      if (part === 'remix') {
        if (shown.status !== 'completed') return refused(400, 'The video is not completed.')
        const { model, seconds, size } = shown
        return Response.json(make(key, { model, seconds, size, prompt: body?.prompt, remixed_from_video_id: id }))
      }
      if (part === 'content') {
        if (shown.status !== 'completed') return refused(404, 'The video is not ready yet.')
        return searchParams.get('variant') === 'thumbnail'
          ? new Response('picture', { headers: { 'content-type': 'image/webp' } })
          : new Response(content?.() ?? VIDEO_BYTES, { headers: { 'content-type': 'video/mp4' } })
      }
      return Response.json(shown)
    },
  })
  onTestFinished(() => server.stop(true))

  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    videos,
    /** From now on every video has this content. */
    streamsVideo(stream: () => ReadableStream) {
      content = stream
    },
    /** The next creations are accepted, but answered with this. */
    breaks(answer: typeof broken) {
      broken = answer
    },
    /** Decides the outcome of the last requested video. */
    becomes(status: string, more: Record<string, unknown> = {}) {
      const video = [...videos.values()].at(-1)
      if (video === undefined) throw new Error('No video was asked for')
      const ends = status === 'completed' ? { progress: 100, completed_at: 60, expires_at: 86_460 } : {}
      Object.assign(video.shown, { status, ...ends, ...more })
    },
  }
}

async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data') === true
  const body: unknown = isForm ? Object.fromEntries(await request.formData()) : await request.json()
  return isFields(body) ? body : {}
}

const refused = (status: number, message: string) =>
  Response.json({ error: { message, type: 'invalid_request_error', param: null, code: null } }, { status })
