import { isFields, type VideoSpec } from '@tollgate/providers'
import { z } from 'zod'
import { videoModel } from '../catalog/video-sizes.ts'
import { bodyRoom } from '../common/body-room.ts'
import { GatewayError } from '../common/errors.ts'
import { storableText } from '../common/storable-text.ts'
import { isTooDeep } from '../common/too-deep.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import { formOf } from '../relay/surfaces/form-body.ts'
import { jsonOf, parsed } from './surface-request.ts'

/** A video as the caller requested it. */
export interface VideoRequest {
  model: string
  prompt: string
  seconds: number
  size: string
  /** The body for the vendor. It always states length and size, so that the vendor makes what is held for. */
  body(model: string): string | FormData
  /** The same for vendors with another API. Throws for parameters that they do not have. */
  spec(model: string): Promise<VideoSpec>
}

const Body = z.looseObject({
  prompt: z.string().min(1).max(32_000),
  model: z.string().min(1).max(200).default('sora-2'),
  seconds: z.union([z.string(), z.number()]).default('4'),
  size: z.string().max(20).default('720x1280'),
})

const SECONDS_MAX = 60

/** JSON, or a form with an image. */
export async function readVideoRequest(caller: RelayCaller, request: Request): Promise<VideoRequest> {
  const isForm = (request.headers.get('content-type') ?? '').toLowerCase().startsWith('multipart/form-data')
  const form = isForm ? await bodyRoom.receive(caller, request, () => formOf(request)) : undefined
  const value = form === undefined ? await jsonOf(caller, request) : Object.fromEntries(form)
  const fields = parsed(Body, value)
  refuseFileIds(fields)
  if (isTooDeep(fields)) throw new GatewayError('relay.bad_body', { reason: 'too many levels' })
  const { prompt, model, size } = fields
  const seconds = Number(fields.seconds)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > SECONDS_MAX)
    throw new GatewayError('relay.video_seconds', { seconds: `1–${SECONDS_MAX}` })
  if (!/^\d{2,5}x\d{2,5}$/.test(size)) throw new GatewayError('relay.video_size', { sizes: '720x1280, 1280x720' })
  const length = String(seconds)
  return {
    ...{ model, prompt, seconds, size },
    body(upstreamModel) {
      if (form === undefined) return JSON.stringify({ ...fields, model: upstreamModel, seconds: length, size })
      for (const [name, text] of Object.entries({ model: upstreamModel, prompt, seconds: length, size }))
        form.set(name, text)
      return form
    },
    async spec(upstreamModel) {
      const foreign = Object.keys(fields).find((name) => !TRANSLATED.includes(name))
      if (foreign !== undefined) throw new GatewayError('relay.bad_body', { reason: `${foreign}: not for this model` })
      const picture = await imageOf(fields.input_reference)
      return { model: upstreamModel, prompt, seconds, size, ...(picture !== undefined && { picture }) }
    },
  }
}

const TRANSLATED = ['model', 'prompt', 'seconds', 'size', 'input_reference']

/** A file of a form, or a data URL. */
async function imageOf(reference: unknown): Promise<VideoSpec['picture']> {
  if (reference === undefined) return undefined
  if (reference instanceof File && /^image\/[\w.+-]+$/.test(reference.type))
    return { mimeType: reference.type, base64: Buffer.from(await reference.arrayBuffer()).toString('base64') }
  const url = isFields(reference) ? reference.image_url : reference
  const [, mimeType, base64] =
    /^data:(image\/[\w.+-]+);base64,([\w+/=]+)$/.exec(typeof url === 'string' ? url : '') ?? []
  if (mimeType === undefined || base64 === undefined)
    throw new GatewayError('relay.bad_body', { reason: 'input_reference: an image as a file or a data URL' })
  return { mimeType, base64 }
}

/** Vendors check this too, but only after an upload, and each with a different error. */
export function refuseUnsold(model: string, { seconds, size }: Pick<VideoRequest, 'seconds' | 'size'>) {
  const sold = videoModel(model)
  if (sold === undefined) return
  const lengths = sold.cents.has(size) ? (sold.lengths?.get(size) ?? sold.seconds) : sold.seconds
  if (!lengths.includes(seconds)) throw new GatewayError('relay.video_seconds', { seconds: lengths.join(', ') })
  if (!sold.cents.has(size)) throw new GatewayError('relay.video_size', { sizes: [...sold.cents.keys()].join(', ') })
}

/** All callers share the channel's account at the vendor, so a file id there may belong to someone else. */
function refuseFileIds({ input_reference, ...rest }: Record<string, unknown>) {
  const id = rest['input_reference[file_id]'] ?? (isFields(input_reference) ? input_reference.file_id : undefined)
  if (id !== undefined) throw new GatewayError('relay.file_unknown', { id: storableText(String(id), 200) })
}
