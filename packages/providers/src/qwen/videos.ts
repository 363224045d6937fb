import { z } from 'zod'
import { parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { VideoSpec, VideoState, VideoTasksAdapter } from '../provider.ts'
import { refusal } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { taskUrl } from './endpoints.ts'
import { throwFailure } from './errors.ts'

const Task = z.looseObject({
  output: z.looseObject({
    task_id: z.string(),
    task_status: z.string(),
    video_url: z.string().optional(),
    code: z.string().optional(),
    message: z.string().optional(),
  }),
  usage: z.looseObject({ duration: z.number().optional(), video_duration: z.number().optional() }).optional(),
})

const headers = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

/** Channels of the OpenAI-compatible API may have its path in their address. */
const rooted = (access: Access): Access => ({
  ...{ ...access, baseUrl: access.baseUrl.replace(/\/compatible-mode(?:\/v1)?\/?$/, '') },
})

const USUAL_SECONDS = 5

/** Wan, through DashScope's tasks: from a text, or (`-i2v-`) from an image. */
export const wan: VideoTasksAdapter = {
  makes: (model) => /^wanx?\d[\d.]*-(?:t2v|i2v)/.test(model),
  create(spec, access) {
    const { baseUrl } = rooted(access)
    const url = `${baseUrl}/api/v1/services/aigc/video-generation/video-synthesis`
    return postJson(url, { ...headers(access), 'x-dashscope-async': 'enable' }, toSynthesis(spec))
  },
  retrieve: (id, access) => ({ method: 'GET', url: taskUrl(id, rooted(access)), headers: headers(access) }),
  read(body) {
    throwFailure(body)
    const { output, usage } = parseVendor(Task, body)
    const seconds = usage?.duration ?? usage?.video_duration
    return { id: output.task_id, ...stateOf(output), ...(seconds !== undefined && { seconds }) }
  },
  content: (body) => ({ url: parseVendor(Task, body).output.video_url ?? '' }),
}

function toSynthesis({ model, prompt, seconds, size, picture }: VideoSpec) {
  const length = seconds === USUAL_SECONDS ? {} : { duration: seconds }
  if (!model.includes('i2v')) {
    if (picture !== undefined) throw refusal('Wan', 'input_reference', `${model} makes videos of texts alone`)
    return { model, input: { prompt }, parameters: { size: size.replace('x', '*'), ...length } }
  }
  if (picture === undefined) throw refusal('Wan', 'input_reference', `${model} needs an input_reference`)
  const img_url = `data:${picture.mimeType};base64,${picture.base64}`
  return { model, input: { prompt, img_url }, parameters: { resolution: resolutionOf(size), ...length } }
}

/** An image has its own proportions: only the resolution can be chosen. */
function resolutionOf(size: string) {
  const short = Math.min(...size.split('x').map(Number))
  if (![480, 720, 1080].includes(short)) throw refusal('Wan', 'size')
  return `${short}P`
}

function stateOf({ task_status, code, message }: z.infer<typeof Task>['output']): VideoState {
  if (task_status === 'SUCCEEDED') return { status: 'completed' }
  if (task_status === 'PENDING') return { status: 'queued' }
  if (task_status === 'RUNNING' || task_status === 'SUSPENDED') return { status: 'in_progress' }
  const error = { code: code ?? task_status.toLowerCase(), message: message ?? `The task ended as ${task_status}` }
  return { status: 'failed', error }
}
