import { z } from 'zod'
import { parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { VideoSpec, VideoState, VideoTasksAdapter } from '../provider.ts'
import { refusal } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { pathSegments } from '../url-parts.ts'

/** A long-running operation of Google's, with what it has made. */
export const operationWith = <Response extends z.ZodType>(response: Response) =>
  z.looseObject({
    name: z.string(),
    done: z.boolean().optional(),
    error: z.looseObject({ code: z.number().optional(), message: z.string().optional() }).optional(),
    response: response.optional(),
  })

const Operation = operationWith(
  z.looseObject({
    generateVideoResponse: z
      .looseObject({
        generatedSamples: z.array(z.looseObject({ video: z.looseObject({ uri: z.string() }) })).default([]),
        raiMediaFilteredReasons: z.array(z.string()).default([]),
      })
      .optional(),
  }),
)

interface Google {
  root(access: Access): string
  url(operation: string, access: Access, model: string): string
  headers(access: Access): Record<string, string>
}

/** Google's videos: an operation that runs for minutes, and a file that is kept for two days. */
export const veo = ({ root, url, headers }: Google): VideoTasksAdapter => ({
  makes: isVeo,
  create: (spec, access) =>
    postJson(url('predictLongRunning', access, spec.model), headers(access), toPrediction(spec)),
  retrieve: (id, access) => ({
    ...{ method: 'GET', url: `${root(access)}/${pathSegments(nameIn(id))}`, headers: headers(access) },
  }),
  read(body) {
    const operation = parseVendor(Operation, body)
    return { id: Buffer.from(operation.name).toString('base64url'), ...stateOf(operation) }
  },
  content(body, access) {
    const [sample] = parseVendor(Operation, body).response?.generateVideoResponse?.generatedSamples ?? []
    const { pathname = '', search = '' } = URL.parse(sample?.video.uri ?? '') ?? {}
    // Through the channel's own address, which may be a mirror: the key goes nowhere else.
    const [, file] = /\/(files\/[\w-]+:download)$/.exec(pathname) ?? []
    if (file === undefined) return { url: sample?.video.uri ?? '' }
    return { url: `${root(access)}/${file}${search}`, headers: headers(access) }
  },
})

/** By OpenAI's words for sizes. */
const SHAPES: ReadonlyMap<string, { aspectRatio: string; resolution: string }> = new Map([
  ['1280x720', { aspectRatio: '16:9', resolution: '720p' }],
  ['720x1280', { aspectRatio: '9:16', resolution: '720p' }],
  ['1920x1080', { aspectRatio: '16:9', resolution: '1080p' }],
  ['1080x1920', { aspectRatio: '9:16', resolution: '1080p' }],
  ['3840x2160', { aspectRatio: '16:9', resolution: '4k' }],
  ['2160x3840', { aspectRatio: '9:16', resolution: '4k' }],
])

export const isVeo = (model: string) => /^(?:models\/)?veo-/.test(model)

export function toPrediction({ prompt, seconds, size, picture }: VideoSpec) {
  const shape = SHAPES.get(size)
  if (shape === undefined) throw refusal('Veo', 'size')
  const image = picture && { bytesBase64Encoded: picture.base64, mimeType: picture.mimeType }
  return {
    instances: [{ prompt, ...(image !== undefined && { image }) }],
    parameters: { ...shape, durationSeconds: seconds },
  }
}

function stateOf(operation: z.infer<typeof Operation>): VideoState {
  const { generatedSamples = [], raiMediaFilteredReasons = [] } = operation.response?.generateVideoResponse ?? {}
  return operationState(operation, { videos: generatedSamples.length, reasons: raiMediaFilteredReasons })
}

interface LongRunning {
  done?: boolean | undefined
  error?: { code?: number | undefined; message?: string | undefined } | undefined
}

/** The state of a long-running operation with this many videos, and the filters' reasons for those that are missing. */
export function operationState(
  { done, error }: LongRunning,
  { videos, reasons }: { videos: number; reasons: readonly string[] },
): VideoState {
  if (done !== true) return { status: 'in_progress' }
  if (error !== undefined) return failed(String(error.code ?? 'failed'), error.message ?? 'The video has failed')
  if (videos > 0) return { status: 'completed' }
  // Google charges nothing for what its filters hold back.
  return failed('content_filtered', reasons.join(' ') || 'The model made no video')
}

const failed = (code: string, message: string): VideoState => ({ status: 'failed', error: { code, message } })

/** `models/veo-3.1-generate-preview/operations/abc`: our ids have no slashes. */
const nameIn = (id: string) => Buffer.from(id, 'base64url').toString()
