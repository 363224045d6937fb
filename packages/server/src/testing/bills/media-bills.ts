import { billedAt, dollarsOf } from './bill.ts'
import { IMAGES_BY_SIZE, IMAGES_BY_TOKEN, SPEECH_MODELS, TRANSCRIPTION_MODELS, VIDEO_MODELS } from './list-prices.ts'
import { CHARACTER_INPUTS } from './text-bills.ts'

const speechBills = SPEECH_MODELS.flatMap((price) =>
  CHARACTER_INPUTS.map((input) => ({
    ...{ ...billedAt(price, 'speech', '/v1/audio/speech'), edge: `${[...input].length} characters` },
    body: { model: price.model, input, voice: 'alloy' },
    reply: () => new Response(new Uint8Array(999), { headers: { 'content-type': 'audio/mpeg' } }),
    dollars: dollarsOf({ characters: [...input].length }, price.rates),
  })),
)

const recording = (model: string) => {
  const form = new FormData()
  form.set('model', model)
  form.set('file', new File([new Uint8Array(64)], 'tide.mp3', { type: 'audio/mpeg' }))
  return form
}

const transcriptBills = TRANSCRIPTION_MODELS.flatMap((price) =>
  [1, 60, 3600].flatMap((seconds) =>
    [
      { source: 'usage', reply: { text: 'High tide.', usage: { type: 'duration', seconds } } },
      { source: 'verbose_json', reply: { text: 'High tide.', duration: seconds, segments: [] } },
    ].map(({ source, reply }) => ({
      ...{ ...billedAt(price, 'transcriptions', '/v1/audio/transcriptions'), edge: `${seconds} s by ${source}` },
      ...{ body: recording(price.model), reply: () => Response.json(reply) },
      dollars: (seconds / 60) * (price.rates.minutes ?? 0),
    })),
  ),
)

const imageBills = IMAGES_BY_SIZE.flatMap((price) =>
  Object.entries(price.rates).flatMap(([kind, dollars]) =>
    [1, 3].map((n) => {
      const [size, quality = 'standard'] = kind.split(' ')
      const data = Array.from({ length: n }, () => ({ url: 'https://pictures.example/1.png' }))
      return {
        ...{ ...billedAt(price, 'images', '/v1/images/generations'), edge: `${n} of ${kind}` },
        body: { model: price.model, prompt: 'A pier', n, size, quality },
        reply: () => Response.json({ created: 1, data }),
        dollars: dollars * n,
      }
    }),
  ),
)

const videoBills = VIDEO_MODELS.flatMap((price) =>
  Object.entries(price.rates).flatMap(([size, dollars]) =>
    [4, 8, 12].map((length) => {
      const seconds = String(length)
      return {
        ...{ ...billedAt(price, 'videos', '/v1/videos'), edge: `${seconds} s of ${size}` },
        body: { model: price.model, prompt: 'The tide comes in', seconds, size },
        reply: () => Response.json({ id: 'video_up', object: 'video', status: 'completed', seconds, size }),
        dollars: dollars * length,
      }
    }),
  ),
)

const imageTokenBills = IMAGES_BY_TOKEN.flatMap((price) =>
  [
    { input: 50, imageInput: 0, imageOutput: 272 },
    { input: 50, imageInput: 323, imageOutput: 4160 },
    { input: 1, imageInput: 6000, imageOutput: 12_480 },
  ].map((used) => ({
    ...{ ...billedAt(price, 'images', '/v1/images/generations'), edge: `${used.imageOutput} tokens of picture` },
    body: { model: price.model, prompt: 'A pier' },
    reply: () => {
      const input_tokens_details = { text_tokens: used.input, image_tokens: used.imageInput }
      const totals = { input_tokens: used.input + used.imageInput, output_tokens: used.imageOutput }
      return Response.json({ created: 1, data: [{ b64_json: 'aGk=' }], usage: { ...totals, input_tokens_details } })
    },
    dollars: dollarsOf(used, price.rates),
  })),
)

export const mediaBills = [...speechBills, ...transcriptBills, ...imageBills, ...imageTokenBills, ...videoBills]
