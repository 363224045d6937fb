import { z } from 'zod'
import { vendorBytes } from '../base64.ts'
import { failureOf, VendorError } from '../failure.ts'
import { parseVendor } from '../json.ts'
import { isOpenAiVoice } from '../openai/voices.ts'
import { postJson } from '../post-json.ts'
import type { SpeechAdapter } from '../provider.ts'
import { refusal } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { wavFile } from '../wav.ts'
import { readGeminiUsage } from './usage.ts'

const SpeechAnswer = z.looseObject({
  candidates: z
    .array(
      z.looseObject({
        content: z
          .looseObject({
            parts: z
              .array(
                z.looseObject({ inlineData: z.looseObject({ mimeType: z.string(), data: z.string() }).optional() }),
              )
              .default([]),
          })
          .optional(),
      }),
    )
    .default([]),
})

const VOICE = 'Kore'

/** Gemini speech models, wherever they are hosted. They return PCM samples, which get a WAV header. */
export const geminiSpeech = (
  url: (operation: string, access: Access, model: string) => string,
  headers: (access: Access) => Record<string, string>,
): SpeechAdapter => ({
  formats: ['wav', 'pcm'],
  encode({ model, input, voice = VOICE, instructions, speed }, access) {
    if (speed !== undefined && speed !== 1) throw refusal('Gemini', 'speed')
    const voiceName = isOpenAiVoice(voice) ? VOICE : voice
    const text = instructions === undefined ? input : `${instructions}: ${input}`
    return postJson(url('generateContent', access, model), headers(access), {
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
      },
    })
  },
  decode(body, format) {
    const parts = parseVendor(SpeechAnswer, body).candidates.flatMap(({ content }) => content?.parts ?? [])
    const sound = parts.find(({ inlineData }) => inlineData !== undefined)?.inlineData
    if (sound === undefined) throw new VendorError(failureOf('server', 'The model said nothing', { code: 'no_audio' }))
    const samples = vendorBytes(sound.data)
    const rate = Number(/rate=(\d+)/.exec(sound.mimeType)?.[1] ?? 24_000)
    const bytes = format === 'pcm' ? samples : wavFile(samples, rate)
    return { sound: { bytes, mimeType: format === 'pcm' ? 'audio/pcm' : 'audio/wav' }, usage: readGeminiUsage(body) }
  },
})
