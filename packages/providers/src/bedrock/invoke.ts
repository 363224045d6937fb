import { z } from 'zod'
import type { EncodeContext } from '../chat-adapter.ts'
import { failureOf, VendorError } from '../failure.ts'
import { nearestRatio, sizeOf } from '../image-shape.ts'
import { defined, parseVendor } from '../json.ts'
import type { EmbeddingsAdapter, ImageRequest, ImagesAdapter } from '../provider.ts'
import { refusal } from '../unsupported.ts'
import type { Access, Encoded } from '../upstream-request.ts'
import { usageOf } from '../usage.ts'
import { modelUrl } from './model.ts'
import { credentialsOf, signed } from './sign.ts'

/* Operations that Converse does not cover: each vendor's models are invoked in the vendor's own format. */

const invoke = (model: string, body: object, access: Access, { nowMs }: EncodeContext): Encoded => {
  const credentials = credentialsOf(access)
  const url = modelUrl(model, 'invoke', access, credentials)
  return signed({ url, body: JSON.stringify(body), nowMs }, credentials)
}

const isStability = (model: string) => model.includes('stability.')

const ImageAnswer = z.looseObject({
  images: z.array(z.string()).nullish(),
  error: z.string().nullish(),
  finish_reasons: z.array(z.string().nullable()).nullish(),
})

/** Image models of Amazon (Nova Canvas, Titan) and Stability. */
export const images: ImagesAdapter = {
  encode: (request, access, context) =>
    invoke(request.model, isStability(request.model) ? forStability(request) : forAmazon(request), access, context),
  decode(body) {
    const { images: generated, error, finish_reasons } = parseVendor(ImageAnswer, body)
    const reason = error ?? finish_reasons?.find((why) => why !== null)
    if (generated == null || generated.length === 0)
      throw new VendorError(failureOf('client', reason ?? 'The model returned no image', { code: 'no_image' }))
    return { images: generated.map((b64) => ({ b64 })), usage: undefined }
  },
}

function forAmazon({ prompt, n, size, extra }: ImageRequest) {
  const options = { numberOfImages: n, ...sizeOf(size), quality: extra.quality === 'hd' ? 'premium' : undefined }
  return {
    taskType: 'TEXT_IMAGE',
    textToImageParams: defined({ text: prompt, negativeText: extra.negative_prompt }),
    imageGenerationConfig: defined({ ...options, seed: extra.seed }),
  }
}

const RATIOS = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21']

function forStability({ prompt, n, size, extra }: ImageRequest) {
  if (n !== 1) throw refusal('Stability', 'n')
  const shape = { aspect_ratio: nearestRatio(size, RATIOS), output_format: 'png' }
  return defined({ prompt, ...shape, seed: extra.seed, negative_prompt: extra.negative_prompt })
}

const Titan = z.looseObject({ embedding: z.array(z.number()), inputTextTokenCount: z.number().optional() })
const Floats = z.array(z.array(z.number()))
const Cohere = z.looseObject({ embeddings: z.union([Floats, z.looseObject({ float: Floats })]) })

/** Titan takes one text per call, Cohere's models many. */
export const embeddings: EmbeddingsAdapter = {
  encode({ model, input, dimensions }, access, context) {
    if (model.includes('cohere.')) {
      const order = { texts: input, input_type: 'search_document', embedding_types: ['float'] }
      return invoke(model, defined({ ...order, output_dimension: dimensions }), access, context)
    }
    const [inputText, ...more] = input
    if (more.length > 0) throw refusal('Titan', 'input', 'Titan embeds one text a call')
    return invoke(model, defined({ inputText, dimensions }), access, context)
  },
  decode(body) {
    const titan = Titan.safeParse(body).data
    if (titan !== undefined) {
      const count = titan.inputTextTokenCount
      return { vectors: [titan.embedding], usage: count === undefined ? undefined : usageOf({ input: count }) }
    }
    const { embeddings: found } = parseVendor(Cohere, body)
    return { vectors: Array.isArray(found) ? found : found.float, usage: undefined }
  },
}
