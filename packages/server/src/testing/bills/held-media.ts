import { wavOf } from '../sample-files.ts'
import { RECORDINGS } from './held-call.ts'

const IMAGE_TOKENS = { low: 272, medium: 1056, high: 4160 }
const FORMATS = { '1024x1024': 1, '1536x1024': 1.5, '1024x1536': 1.5 }
const images = Object.entries(IMAGE_TOKENS).flatMap(([quality, square]) =>
  Object.entries(FORMATS).flatMap(([size, times]) =>
    [1, 4].map((n) => {
      const model = 'gpt-image-1'
      const output_tokens = square * times * n
      const input_tokens_details = { text_tokens: 12, image_tokens: 0 }
      const usage = { input_tokens: 12, output_tokens, input_tokens_details }
      return {
        ...{ name: `${model}: ${n} ${quality} ${size}`, vendor: 1, model, path: '/v1/images/generations' },
        body: { model, prompt: 'A pier at low tide, in ink', n, quality, size },
        reply: () => Response.json({ created: 1, data: [{ b64_json: 'aGk=' }], usage }),
      }
    }),
  ),
)

const form = (fields: Record<string, string>, ...files: File[]) => {
  const sent = new FormData()
  for (const [name, value] of Object.entries(fields)) sent.set(name, value)
  for (const file of files) sent.append(file.type.startsWith('image/') ? 'image' : 'file', file)
  return sent
}

/** OpenAI splits an image into tiles, and at high fidelity also uses the whole. */
const CHANGED = { low: 65 + 4 * 129, high: 65 + 4 * 129 + 4160 }
const changed = Object.entries(CHANGED).flatMap(([input_fidelity, each]) =>
  [1, 3].map((count) => {
    const files = Array.from({ length: count }, () => new File([new Uint8Array(900)], 'a.png', { type: 'image/png' }))
    const model = 'gpt-image-1'
    const input_tokens_details = { text_tokens: 12, image_tokens: each * count }
    const usage = { input_tokens: 12 + each * count, output_tokens: 1056, input_tokens_details }
    return {
      ...{ name: `${model}: ${count} changed at ${input_fidelity}`, vendor: 1, model, path: '/v1/images/edits' },
      body: form({ model, prompt: 'Add a gull', quality: 'medium', size: '1024x1024', input_fidelity }, ...files),
      reply: () => Response.json({ created: 1, data: [{ b64_json: 'aGk=' }], usage }),
    }
  }),
)

/** About three tokens per second of speech, and more for fast speakers. */
const TOKENS_PER_SEC = [0, 2.5, 4]
const transcribed = ['gpt-4o-transcribe', 'gpt-4o-mini-transcribe'].flatMap((model) =>
  RECORDINGS.flatMap(({ seconds, rate }) =>
    TOKENS_PER_SEC.map((speed) => {
      const audio_tokens = seconds * 10
      const output_tokens = Math.round(seconds * speed) + 2
      const usage = {
        ...{ type: 'tokens', input_tokens: audio_tokens, output_tokens, total_tokens: audio_tokens + output_tokens },
        input_token_details: { text_tokens: 0, audio_tokens },
      }
      return {
        ...{ name: `${model}: ${seconds} s at ${rate} Hz, ${speed} a second`, vendor: 1, model },
        ...{ path: '/v1/audio/transcriptions' },
        body: form({ model }, new File([wavOf({ seconds, rate })], 'a.wav', { type: 'audio/wav' })),
        reply: () => Response.json({ text: 'High tide.', usage }),
      }
    }),
  ),
)
const timed = RECORDINGS.map(({ seconds, rate }) => ({
  ...{ name: `whisper-1: ${seconds} s at ${rate} Hz`, vendor: 1, model: 'whisper-1', path: '/v1/audio/transcriptions' },
  body: form({ model: 'whisper-1' }, new File([wavOf({ seconds, rate })], 'a.wav', { type: 'audio/wav' })),
  reply: () => Response.json({ text: 'High tide.', usage: { type: 'duration', seconds } }),
}))

const speech = ['tts-1', 'tts-1-hd'].flatMap((model) =>
  ['Tide', 'High tide is at nine. '.repeat(40), '九点涨潮。'.repeat(100)].map((input) => ({
    ...{ name: `${model}: ${input.length} characters`, vendor: 1, model, path: '/v1/audio/speech' },
    body: { model, input, voice: 'alloy' },
    reply: () => new Response(new Uint8Array(999), { headers: { 'content-type': 'audio/mpeg' } }),
  })),
)

const videos = ['4', '8', '12'].map((seconds) => ({
  ...{ name: `sora-2: ${seconds} s`, vendor: 1, model: 'sora-2', path: '/v1/videos' },
  body: { model: 'sora-2', prompt: 'The tide comes in', seconds },
  reply: () => Response.json({ id: 'video_up', object: 'video', status: 'completed', seconds, size: '720x1280' }),
}))

/** Images, speech, transcripts and videos. */
export const heldMedia = [...images, ...changed, ...transcribed, ...timed, ...speech, ...videos]
