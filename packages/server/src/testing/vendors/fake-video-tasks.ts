import { onTestFinished } from 'bun:test'
import { isFields } from '@tollgate/providers'

interface ReceivedRequest {
  method: string
  path: string
  headers: Headers
  body?: Record<string, unknown>
}

/** A vendor's own API, according to its public documentation. */
interface Api {
  /** Undefined if it is not a creation; a text if it is refused. */
  created(asked: ReceivedRequest, id: string): Response | string | undefined
  /** Undefined if it is a request about something else. */
  shown(asked: ReceivedRequest & { query: URLSearchParams }, id: string, end: End): Response | undefined
}

type End = 'running' | 'completed' | 'failed'

const VIDEO_PATH = '/storage/video.mp4'

export const TASK_VIDEO_BYTES = Buffer.alloc(500_000, 'video')

/** A vendor with its own video API, strict about its requests. A video waits until the test decides its outcome. */
const fakeVideoTasks = (api: (filmUrl: string) => Api) => {
  const asked: ReceivedRequest[] = []
  const ends = new Map<string, End>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname: path, searchParams: query } = new URL(request.url)
      const { method, headers } = request
      const json: unknown = method === 'POST' ? await request.json() : undefined
      const now = { method, path, headers, ...(isFields(json) && { body: json }) }
      asked.push(now)
      if (path === VIDEO_PATH)
        return headers.has('authorization')
          ? new Response('The key is nobody’s business here', { status: 400 })
          : new Response(TASK_VIDEO_BYTES, { headers: { 'content-type': 'video/mp4' } })
      if (headers.get('authorization')?.startsWith('Bearer ') !== true) return new Response('', { status: 401 })
      const id = `task-${ends.size + 1}`
      const own = api(`${url}${VIDEO_PATH}`)
      const created = own.created(now, id)
      if (created instanceof Response) ends.set(id, 'running')
      if (typeof created === 'string')
        return Response.json({ error: { code: '1210', message: created } }, { status: 400 })
      const known = [...ends].find(
        ([name]) => path.endsWith(name) || [...query.values()].some((value) => value.endsWith(name)),
      )
      const answer = created ?? (known && own.shown({ ...now, query }, known[0], known[1]))
      return answer ?? new Response('{}', { status: 404 })
    },
  })
  onTestFinished(() => server.stop(true))
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    asked,
    /** Decides the outcome of the last requested video. */
    becomes(end: End) {
      const last = [...ends.keys()].at(-1)
      if (last === undefined) throw new Error('No video was asked for')
      ends.set(last, end)
    },
  }
}

const foreign = (body: Record<string, unknown> | undefined, members: readonly string[]) =>
  Object.keys(body ?? {}).find((name) => !members.includes(name))

const STATUSES = {
  wan: { running: 'RUNNING', completed: 'SUCCEEDED', failed: 'FAILED' },
  cogVideo: { running: 'PROCESSING', completed: 'SUCCESS', failed: 'FAIL' },
  hailuo: { running: 'Processing', completed: 'Success', failed: 'Fail' },
} as const

/** https://help.aliyun.com/zh/model-studio/text-to-video-api-reference */
export const fakeWan = () =>
  fakeVideoTasks((videoUrl) => ({
    created({ path, headers, body = {} }, task_id) {
      if (path !== '/api/v1/services/aigc/video-generation/video-synthesis') return undefined
      if (headers.get('x-dashscope-async') !== 'enable') return 'current user api does not support synchronous calls.'
      const { input, parameters } = body
      const wrong =
        foreign(body, ['model', 'input', 'parameters']) ??
        foreign(isFields(input) ? input : {}, ['prompt', 'negative_prompt', 'img_url']) ??
        foreign(isFields(parameters) ? parameters : {}, ['size', 'resolution', 'duration', 'seed', 'watermark'])
      if (wrong !== undefined) return `${wrong} is not supported`
      const size = isFields(parameters) ? (parameters.size ?? parameters.resolution) : ''
      if (!/^\d+\*\d+$|^\d+P$/.test(String(size))) return 'size is invalid'
      return Response.json({ output: { task_status: 'PENDING', task_id }, request_id: 'r' })
    },
    shown({ path }, task_id, end) {
      if (path !== `/api/v1/tasks/${task_id}`) return undefined
      const output = {
        ...{ task_id, task_status: STATUSES.wan[end] },
        ...(end === 'completed' && { video_url: videoUrl }),
        ...(end === 'failed' && { code: 'InternalError', message: 'The tide is too high' }),
      }
      const usage = end === 'completed' ? { usage: { video_duration: 5, video_count: 1 } } : {}
      return Response.json({ request_id: 'r', output, ...usage })
    },
  }))

/** https://docs.bigmodel.cn/api-reference */
export const fakeCogVideo = () =>
  fakeVideoTasks((videoUrl) => ({
    created({ path, body = {} }, id) {
      if (path !== '/api/paas/v4/videos/generations') return undefined
      const members = ['model', 'prompt', 'quality', 'with_audio', 'image_url', 'size', 'fps', 'duration']
      const wrong = foreign(body, members)
      if (wrong !== undefined) return `${wrong} is not supported`
      if (body.duration !== undefined && body.duration !== 5 && body.duration !== 10) return 'duration is invalid'
      return Response.json({ id, model: body.model, request_id: 'r', task_status: 'PROCESSING' })
    },
    shown({ path }, id, end) {
      if (path !== `/api/paas/v4/async-result/${id}`) return undefined
      const result = end === 'completed' ? { video_result: [{ url: videoUrl, cover_image_url: videoUrl }] } : {}
      return Response.json({ model: 'cogvideox-3', request_id: 'r', task_status: STATUSES.cogVideo[end], ...result })
    },
  }))

/** https://platform.minimaxi.com/docs/api-reference/video-generation-intro */
export const fakeHailuo = () =>
  fakeVideoTasks((videoUrl) => {
    const base_resp = { status_code: 0, status_msg: 'success' }
    return {
      created({ path, body = {} }, task_id) {
        if (path !== '/v1/video_generation') return undefined
        const wrong = foreign(body, ['model', 'prompt', 'duration', 'resolution', 'first_frame_image'])
        const complaint = wrong ?? (/^(?:768P|1080P)$/.test(String(body.resolution)) ? undefined : 'resolution')
        if (complaint === undefined) return Response.json({ task_id, base_resp })
        return Response.json({
          task_id: '',
          base_resp: { status_code: 2013, status_msg: `invalid params: ${complaint}` },
        })
      },
      shown({ path, query }, task_id, end) {
        if (path === '/v1/files/retrieve' && query.get('file_id') === `file-${task_id}`)
          return Response.json({ file: { file_id: `file-${task_id}`, download_url: videoUrl }, base_resp })
        if (path !== '/v1/query/video_generation') return undefined
        const failed = end === 'failed' && { base_resp: { status_code: 1027, status_msg: 'The tide is too high' } }
        const file = end === 'completed' && { file_id: `file-${task_id}` }
        return Response.json({ task_id, status: STATUSES.hailuo[end], base_resp, ...file, ...failed })
      },
    }
  })
