import { onTestFinished } from 'bun:test'
import { isFields } from '@tollgate/providers'
import { VEO_VIDEO_BYTES } from './fake-veo.ts'

const PARAMETERS = ['aspectRatio', 'resolution', 'durationSeconds', 'sampleCount', 'generateAudio']
const PLACE = 'projects/the-project/locations/us-central1/publishers/google/models'

/**
 * Veo on Vertex AI according to its public documentation: a token for the service account, operations that are asked for by POST, and
 * videos inside the answer.
 */
export const fakeVertexVeo = () => {
  const asked: { path: string; body?: Record<string, unknown> }[] = []
  const operations = new Map<string, Record<string, unknown>>()
  let broken: (() => Response) | undefined
  let tokens = 0

  const create = (model: string, { instances, parameters }: Record<string, unknown>) => {
    const [instance] = Array.isArray(instances) ? instances : []
    const given = isFields(parameters) ? parameters : {}
    const foreign = Object.keys(given).find((name) => !PARAMETERS.includes(name))
    if (foreign !== undefined) return refused(400, `Unknown parameter ${foreign}`)
    if (!isFields(instance) || typeof instance.prompt !== 'string') return refused(400, 'A prompt is required.')
    if (given.generateAudio !== true || given.sampleCount !== 1) return refused(400, 'generateAudio is required.')
    const name = `${PLACE}/${model}/operations/4c0f1d6e-8a52-4c1e-9b1c-00000000000${operations.size}`
    operations.set(name, { name })
    return broken?.() ?? Response.json({ name })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname: path } = new URL(request.url)
      if (path === '/token') return Response.json({ access_token: `ya29.${++tokens}`, expires_in: 3599 })
      const json: unknown = request.method === 'POST' ? await request.json() : undefined
      const body = isFields(json) ? json : {}
      asked.push({ path, body })
      if (!request.headers.get('authorization')?.startsWith('Bearer ya29.')) return refused(401, 'Not authorized')
      const [, model = '', action] =
        /^\/v1\/projects\/the-project\/locations\/us-central1\/publishers\/google\/models\/([\w.-]+):(\w+)$/.exec(
          path,
        ) ?? []
      if (action === 'predictLongRunning') return create(model, body)
      const operation = operations.get(String(body.operationName))
      if (action !== 'fetchPredictOperation' || operation === undefined) return refused(404, 'Not found')
      return Response.json(operation)
    },
  })
  onTestFinished(() => server.stop(true))

  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    /** The next creations are accepted, but answered with this. */
    breaks(answer: typeof broken) {
      broken = answer
    },
    /** Decides the outcome of the last requested operation. */
    ends(end: Record<string, unknown> = {}) {
      const operation = [...operations.values()].at(-1)
      if (operation === undefined) throw new Error('No video was asked for')
      const videos = [{ bytesBase64Encoded: VEO_VIDEO_BYTES.toString('base64'), mimeType: 'video/mp4' }]
      const type = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse'
      Object.assign(operation, { done: true, response: { '@type': type, raiMediaFilteredCount: 0, videos }, ...end })
    },
  }
}

const refused = (code: number, message: string) =>
  Response.json({ error: { code, message, status: 'INVALID_ARGUMENT' } }, { status: code })
