import { z } from 'zod'
import { parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { VideoTasksAdapter } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { pathSegment } from '../url-parts.ts'
import { throwFailure } from './errors.ts'

const Task = z.looseObject({
  id: z.string().optional(),
  task_status: z.string(),
  video_result: z.array(z.looseObject({ url: z.string() })).default([]),
})

const root = ({ baseUrl }: Access) => `${baseUrl}/api/paas/v4`

const headers = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

/** The default length of the models. */
const USUAL_SECONDS = 5

/** CogVideoX: a task, and a URL of the video that is valid for a day. */
export const cogVideo: VideoTasksAdapter = {
  makes: (model) => /^cogvideox/i.test(model),
  create({ model, prompt, seconds, size, picture }, access) {
    const image = picture && { image_url: `data:${picture.mimeType};base64,${picture.base64}` }
    const duration = seconds === USUAL_SECONDS ? {} : { duration: seconds }
    return postJson(`${root(access)}/videos/generations`, headers(access), {
      model,
      prompt,
      size,
      ...duration,
      ...image,
    })
  },
  retrieve: (id, access) => ({
    ...{ method: 'GET', url: `${root(access)}/async-result/${pathSegment(id)}`, headers: headers(access) },
  }),
  read(body) {
    throwFailure(body)
    const { id, task_status } = parseVendor(Task, body)
    const named = id === undefined ? {} : { id }
    if (task_status === 'SUCCESS') return { ...named, status: 'completed' }
    if (task_status !== 'FAIL') return { ...named, status: 'in_progress' }
    return { ...named, status: 'failed', error: { code: 'failed', message: 'Zhipu could not make the video' } }
  },
  content: (body) => ({ url: parseVendor(Task, body).video_result[0]?.url ?? '' }),
}
