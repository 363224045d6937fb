import { z } from 'zod'
import { isVeo, operationState, operationWith, toPrediction } from '../gemini/veo.ts'
import { parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { VideoTasksAdapter } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { modelUrl } from './url.ts'

const Operation = operationWith(
  z.looseObject({
    videos: z
      .array(z.looseObject({ bytesBase64Encoded: z.string().optional(), mimeType: z.string().default('video/mp4') }))
      .default([]),
    raiMediaFilteredReasons: z.array(z.string()).default([]),
  }),
)

/** Veo on Vertex AI: the video is part of the answer, because no bucket of the operator's is named to store it. */
export const vertexVeo = (headers: (access: Access) => Record<string, string>): VideoTasksAdapter => ({
  makes: isVeo,
  create(spec, access) {
    const { parameters, ...prediction } = toPrediction(spec)
    // Prices are those with sound; Veo 3 has to be told whether to make it.
    const sound = spec.model.startsWith('veo-3') ? { generateAudio: true } : {}
    const url = modelUrl(access, { model: spec.model, action: 'predictLongRunning' })
    return postJson(url, headers(access), { ...prediction, parameters: { ...parameters, sampleCount: 1, ...sound } })
  },
  retrieve(id, access) {
    const [project = '', location = '', model = '', operation = ''] = Buffer.from(id, 'base64url').toString().split('/')
    // The operation stays where it began, even if the channel has moved.
    const own = { ...access, config: { ...access.config, region: location, vertex_ai_project_id: project } }
    return postJson(modelUrl(own, { model, action: 'fetchPredictOperation' }), headers(access), {
      operationName: `projects/${project}/locations/${location}/publishers/google/models/${model}/operations/${operation}`,
    })
  },
  read(body) {
    const operation = parseVendor(Operation, body)
    const { videos = [], raiMediaFilteredReasons = [] } = operation.response ?? {}
    return {
      id: shortId(operation.name),
      ...operationState(operation, { videos: videos.length, reasons: raiMediaFilteredReasons }),
    }
  },
  content(body) {
    const [video] = parseVendor(Operation, body).response?.videos ?? []
    const { bytesBase64Encoded = '', mimeType = 'video/mp4' } = video ?? {}
    return { bytes: Buffer.from(bytesBase64Encoded, 'base64'), mimeType }
  },
})

const NAME = /^projects\/([^/]+)\/locations\/([^/]+)\/publishers\/google\/models\/([^/]+)\/operations\/([^/]+)$/

/** Only what varies: ids have 200 characters at most. */
function shortId(name: string) {
  const [, ...parts] = NAME.exec(name) ?? []
  return Buffer.from(parts.join('/')).toString('base64url')
}
