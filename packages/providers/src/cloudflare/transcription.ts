import { z } from 'zod'
import { defined, parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { TranscriptionAdapter } from '../provider.ts'
import { pathSegments } from '../url-parts.ts'
import { headers, runRoot } from './account.ts'

const Transcription = z.object({ result: z.looseObject({ text: z.string() }) })

/** Whisper, in the format of its later versions; it reports no tokens. */
export const transcription: TranscriptionAdapter = {
  encode: ({ model, audio, language, prompt }, access) =>
    postJson(
      `${runRoot(access)}/${pathSegments(model)}`,
      headers(access),
      defined({ audio: audio.base64, language, initial_prompt: prompt }),
    ),
  decode: (body) => ({ text: parseVendor(Transcription, body).result.text, usage: undefined }),
}
