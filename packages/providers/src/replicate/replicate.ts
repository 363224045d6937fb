import { fieldsOf, jsonOrUndefined, listOf } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'
import { nearestRatio } from '../picture-shape.ts'
import { postJson } from '../post-json.ts'
import type { ImagesAdapter, Provider } from '../provider.ts'
import { chat, unsupported } from './chat.ts'
import { authorize, follower, outputOf, predictionsUrl } from './prediction.ts'

/** Painters there know shapes, not sizes. */
const RATIOS = ['1:1', '16:9', '9:16', '21:9', '9:21', '3:2', '2:3', '4:3', '3:4', '5:4', '4:5']

const images: ImagesAdapter = {
  task: follower,
  encode({ model, prompt, n, size, extra }, access) {
    const { url, version } = predictionsUrl(model, access)
    return postJson(
      url,
      { ...authorize(access), prefer: 'wait' },
      {
        version,
        input: {
          prompt,
          aspect_ratio: nearestRatio(size, RATIOS),
          num_outputs: n === 1 ? undefined : n,
          // What this model alone understands.
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

/** Models run as predictions: text by a stream or when it is done, pictures when they are done. */
export const replicate: Provider = {
  name: 'replicate',
  baseUrl: 'https://api.replicate.com',
  unsupported,
  chat,
  images,
  explain(status, body, headers) {
    const { detail } = fieldsOf(jsonOrUndefined(body))
    const failure = explainOpenAi(status, body, headers)
    return typeof detail === 'string' ? { ...failure, message: detail } : failure
  },
}
