import { urlOf } from '../data-url.ts'
import { failureOf, VendorError } from '../failure.ts'
import { nearestRatio } from '../image-shape.ts'
import { fieldsOf, jsonOrUndefined, listOf } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'
import { postJson } from '../post-json.ts'
import type { ImageRequest, ImagesAdapter, Provider } from '../provider.ts'
import { chat, unsupported } from './chat.ts'
import { authorize, follower, outputOf, predictionsUrl } from './prediction.ts'

/** Image models there accept aspect ratios, not sizes. */
const RATIOS = ['1:1', '16:9', '9:16', '21:9', '9:21', '3:2', '2:3', '4:3', '3:4', '5:4', '4:5']

/** Each model has its own input name for images. Models not listed here cannot be used for edits. */
const PICTURES: readonly { model: RegExp; member: string; several: boolean }[] = [
  { model: /\/flux-kontext-/, member: 'input_image', several: false },
  { model: /\/(nano-banana|seedream-4)/, member: 'image_input', several: true },
  { model: /\/(qwen-image-edit(:|$)|seededit-)/, member: 'image', several: false },
]

const inputOf = (model: string) => PICTURES.find((input) => input.model.test(model))

function given(model: string, pictures: ImageRequest['pictures'] = []) {
  const input = inputOf(model)
  if (input === undefined || pictures.length === 0) return {}
  const [first = '', ...others] = pictures.map(urlOf)
  if (input.several) return { [input.member]: [first, ...others] }
  if (others.length > 0)
    throw new VendorError(failureOf('client', 'This model takes one image', { status: 400, param: 'image' }))
  return { [input.member]: first }
}

const images: ImagesAdapter = {
  task: follower,
  edits: (model) => inputOf(model) !== undefined,
  encode({ model, prompt, n, size, pictures, extra }, access) {
    const { url, version } = predictionsUrl(model, access)
    return postJson(
      url,
      { ...authorize(access), prefer: 'wait' },
      {
        version,
        input: {
          prompt,
          ...given(model, pictures),
          aspect_ratio: nearestRatio(size, RATIOS),
          num_outputs: n === 1 ? undefined : n,
          // Inputs that only this model understands.
          ...fieldsOf(extra.input),
        },
      },
    )
  },
  decode(body) {
    const { output } = outputOf(body)
    const urls = typeof output === 'string' ? [output] : listOf(output)
    return { images: urls.flatMap((url) => (typeof url === 'string' ? [{ url }] : [])), usage: undefined }
  },
}

/** Models run as predictions: text as a stream or when finished, images when finished. */
export const replicate: Provider = {
  name: 'replicate',
  baseUrl: 'https://api.replicate.com',
  unsupported,
  chat,
  images,
  explain(status, body) {
    const { detail } = fieldsOf(jsonOrUndefined(body))
    const failure = explainOpenAi(status, body)
    return typeof detail === 'string' ? { ...failure, message: detail } : failure
  },
}
