import { z } from 'zod'
import { fieldsOf, parseVendor } from '../json.ts'
import { embeddedError } from '../openai/embedded-error.ts'
import { postJson } from '../post-json.ts'
import type { VideoState, VideoTasksAdapter } from '../provider.ts'
import { refusal } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'

const Task = z.looseObject({
  task_id: z.union([z.string(), z.number()]).transform(String),
  status: z.string().optional(),
  file_id: z.union([z.string(), z.number()]).transform(String).optional(),
})

const Retrieved = z.looseObject({ file: z.looseObject({ download_url: z.string() }) })

const root = ({ baseUrl }: Access) => `${baseUrl.replace(/\/v1\/?$/, '')}/v1`

const headers = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

const getRequest = (path: string, name: string, value: string, access: Access) => ({
  ...{ method: 'GET' as const, url: `${root(access)}/${path}?${new URLSearchParams({ [name]: value })}` },
  headers: headers(access),
})

/** MiniMax videos have the proportions of their first image, or 16:9. */
const RESOLUTIONS: ReadonlyMap<string, string> = new Map([
  ['1366x768', '768P'],
  ['1920x1080', '1080P'],
])

/** Hailuo: a task, then a file, then its address. */
export const hailuo: VideoTasksAdapter = {
  makes: (model) => /^MiniMax-Hailuo-/i.test(model),
  create({ model, prompt, seconds, size, picture }, access) {
    const resolution = RESOLUTIONS.get(size)
    if (resolution === undefined) throw refusal('MiniMax', 'size')
    const first = picture && { first_frame_image: `data:${picture.mimeType};base64,${picture.base64}` }
    return postJson(`${root(access)}/video_generation`, headers(access), {
      ...{ model, prompt, duration: seconds, resolution, ...first },
    })
  },
  retrieve: (id, access) => getRequest('query/video_generation', 'task_id', id, access),
  read(body) {
    if (fieldsOf(body).status === 'Fail') return { id: parseVendor(Task, body).task_id, ...failed(body) }
    throwFailure(body)
    const { task_id, status } = parseVendor(Task, body)
    return { id: task_id, ...stateOf(status) }
  },
  content(body, access) {
    throwFailure(body)
    const retrieved = Retrieved.safeParse(body).data
    if (retrieved !== undefined) return { url: retrieved.file.download_url }
    return { next: getRequest('files/retrieve', 'file_id', parseVendor(Task, body).file_id ?? '', access) }
  },
}

function throwFailure(body: unknown) {
  const failure = embeddedError(fieldsOf(body))
  if (failure !== undefined) throw failure
}

function stateOf(status: string | undefined): VideoState {
  if (status === 'Success') return { status: 'completed' }
  return { status: status === 'Processing' ? 'in_progress' : 'queued' }
}

/** The reason is where errors of the question itself are, too. */
function failed(body: unknown): VideoState {
  const { failure } = embeddedError(fieldsOf(body)) ?? {}
  const { code, message } = failure ?? { code: null, message: 'MiniMax could not make the video' }
  return { status: 'failed', error: { code: code ?? 'failed', message } }
}
