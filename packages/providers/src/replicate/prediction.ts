import { z } from 'zod'
import { failureOf, VendorError } from '../failure.ts'
import { parseVendor } from '../json.ts'
import type { Access, TaskFollower, UpstreamRequest } from '../upstream-request.ts'
import { pathSegment, pathSegments } from '../url-parts.ts'

const Prediction = z.object({
  id: z.string(),
  status: z.string(),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
  urls: z.object({ stream: z.string().optional() }).nullish(),
  metrics: z.object({ input_token_count: z.number().optional(), output_token_count: z.number().optional() }).nullish(),
})

/** Polls a prediction until it has ended, or until its stream is available. */
export const follower: TaskFollower = {
  pauseMs: 500,
  limitMs: 290_000,
  next(body, access, stream) {
    const prediction = parseVendor(Prediction, body)
    if (hasEnded(prediction.status)) return undefined
    const place = prediction.urls?.stream
    if (stream && place !== undefined) return streamRequest(place, access)
    return { method: 'GET', url: predictionUrl(prediction.id, access), headers: authorize(access) }
  },
  cancel(body, access) {
    const prediction = Prediction.safeParse(body).data
    if (prediction === undefined || hasEnded(prediction.status)) return undefined
    return { method: 'POST', url: `${predictionUrl(prediction.id, access)}/cancel`, headers: authorize(access) }
  },
}

const predictionUrl = (id: string, access: Access) => `${rootOf(access)}/predictions/${pathSegment(id)}`

const hasEnded = (status: string) => ['succeeded', 'failed', 'canceled', 'aborted'].includes(status)

export const authorize = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

/** Imported channels may have the models folder in their base URL. */
const rootOf = ({ baseUrl }: Access) => `${baseUrl.replace(/\/v1(\/models)?\/?$/, '')}/v1`

/** A model by name, or a version by its hash. */
export function predictionsUrl(model: string, access: Access) {
  const version = model.split(':')[1]
  return version === undefined
    ? { url: `${rootOf(access)}/models/${pathSegments(model)}/predictions`, version }
    : { url: `${rootOf(access)}/predictions`, version }
}

/** The URL comes from an answer and receives the key, so it must belong to Replicate. */
function streamRequest(place: string, access: Access): UpstreamRequest {
  const url = URL.parse(place)
  const isTheirs = url?.protocol === 'https:' && /\.replicate\.(com|net)$/.test(url.hostname)
  if (url === null || !(isTheirs || url.origin === new URL(access.baseUrl).origin))
    throw new VendorError(failureOf('server', 'Replicate named a stream that is not at Replicate'))
  const headers = { ...authorize(access), accept: 'text/event-stream', 'cache-control': 'no-store' }
  return { method: 'GET', url: url.href, headers }
}

/** The output of a prediction. A failed one throws. */
export function outputOf(body: unknown) {
  const prediction = parseVendor(Prediction, body)
  if (prediction.status === 'succeeded') return prediction
  const reason =
    typeof prediction.error === 'string' ? prediction.error : `The prediction ended as ${prediction.status}`
  throw new VendorError(failureOf('server', reason, { code: prediction.status }))
}
