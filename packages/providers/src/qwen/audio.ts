import { z } from 'zod'
import type { ChatPart } from '../chat.ts'
import { failureOf, VendorError } from '../failure.ts'
import { defined, parseVendor } from '../json.ts'
import { readOpenAiUsage } from '../openai/usage.ts'
import { isOpenAiVoice } from '../openai/voices.ts'
import { postJson } from '../post-json.ts'
import type { SpeechAdapter, TranscriptionAdapter } from '../provider.ts'
import { refusal } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { multimodalUrl } from './endpoints.ts'
import { throwFailure } from './errors.ts'
import { decodeReply } from './reply.ts'

const authorize = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

const SpeechAnswer = z.looseObject({ output: z.looseObject({ audio: z.looseObject({ url: z.string() }) }) })

const VOICE = 'Cherry'

/** Qwen-TTS writes a file and returns its URL. */
export const speech: SpeechAdapter = {
  formats: ['wav'],
  encode({ model, input, voice = VOICE, speed }, access) {
    if (speed !== undefined && speed !== 1) throw refusal('DashScope', 'speed')
    const speaker = isOpenAiVoice(voice) ? VOICE : voice
    return postJson(multimodalUrl(access), authorize(access), { model, input: { text: input, voice: speaker } })
  },
  decode(body) {
    throwFailure(body)
    return { sound: { url: parseVendor(SpeechAnswer, body).output.audio.url }, usage: readOpenAiUsage(body) }
  },
}

/** Qwen-ASR is called like a chat, and answers with the transcript. */
export const transcription: TranscriptionAdapter = {
  encode({ model, audio, language }, access) {
    const content = [{ audio: `data:${audio.mimeType};base64,${audio.base64}` }]
    const parameters = { asr_options: defined({ language, enable_itn: false }) }
    return postJson(multimodalUrl(access), authorize(access), {
      model,
      input: { messages: [{ role: 'user', content }] },
      parameters,
    })
  },
  decode(body) {
    const parts = decodeReply(body)
    const text = parts.map((part: ChatPart) => (part.type === 'text' ? part.text : '')).join('')
    if (parts.length === 0) throw new VendorError(failureOf('server', 'DashScope returned no transcript'))
    return { text, usage: readOpenAiUsage(body) }
  },
}
