import { z } from 'zod'
import type { ChatRequest } from '../chat.ts'
import { failureOf, VendorError } from '../failure.ts'
import { nearestRatio } from '../image-shape.ts'
import { defined, parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { ImageRequest, ImagesAdapter } from '../provider.ts'
import { refusal } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { NO_USAGE, type Usage } from '../usage.ts'
import { toGenerateBody } from './body.ts'
import { decodeGenerate } from './decode.ts'

const Predicted = z.looseObject({
  predictions: z.array(z.looseObject({ bytesBase64Encoded: z.string().optional() })).default([]),
})

const RATIOS = ['1:1', '3:4', '4:3', '9:16', '16:9']
const MORE_RATIOS = [...RATIOS, '2:3', '3:2', '4:5', '5:4', '21:9']

/** Imagen uses `predict`; Gemini image models are called as a chat and also accept images to edit. */
const predicts = (model: string) => model.startsWith('imagen')

/** Images by Google's models, wherever they are hosted. */
export const geminiImages = (
  url: (operation: string, access: Access, model: string) => string,
  headers: (access: Access) => Record<string, string>,
): ImagesAdapter => ({
  edits: (model) => !predicts(model),
  encode(request, access) {
    const operation = predicts(request.model) ? 'predict' : 'generateContent'
    const body = predicts(request.model) ? toPrediction(request) : toConversation(request)
    return postJson(url(operation, access, request.model), headers(access), body)
  },
  decode(body) {
    const { predictions } = parseVendor(Predicted, body)
    const generated = predictions.flatMap(({ bytesBase64Encoded: b64 }) => (b64 === undefined ? [] : [{ b64 }]))
    if (generated.length > 0) return { images: generated, usage: undefined }
    return decodeImages(body)
  },
})

function toPrediction({ prompt, n, size, extra }: ImageRequest) {
  const parameters = { sampleCount: n, aspectRatio: nearestRatio(size, RATIOS), negativePrompt: extra.negative_prompt }
  return { instances: [{ prompt }], parameters: defined(parameters) }
}

function toConversation({ model, prompt, n, size, pictures = [] }: ImageRequest) {
  if (n !== 1) throw refusal('Gemini', 'n')
  const given = pictures.map((source) => ({ type: 'image' as const, source }))
  const request: ChatRequest = {
    model,
    stream: false,
    messages: [{ role: 'user', content: [...given, { type: 'text', text: prompt }] }],
    extra: {},
  }
  const { generationConfig, ...body } = toGenerateBody(request)
  const aspectRatio = nearestRatio(size, MORE_RATIOS)
  return {
    ...body,
    generationConfig: {
      ...generationConfig,
      responseModalities: ['IMAGE'],
      ...(aspectRatio === undefined ? {} : { imageConfig: { aspectRatio } }),
    },
  }
}

/** The image is one part of an answer that may also contain text; an answer of text alone has no image. */
function decodeImages(body: unknown): ReturnType<ImagesAdapter['decode']> {
  const parts = decodeGenerate(body)
  const images = parts.flatMap((part) => (part.type === 'image' ? [{ b64: part.base64 }] : []))
  if (images.length === 0) {
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    throw new VendorError(failureOf('client', text || 'The model returned no image', { code: 'no_image' }))
  }
  const usage = parts.reduce<Usage | undefined>(
    (known, part) => (part.type === 'usage' ? { ...(known ?? NO_USAGE), ...part.usage } : known),
    undefined,
  )
  return { images, usage }
}
