/*
 * Token estimates for files in a prompt. They are billed by content, which media type and length indicate well enough; their
 * base64 is not text.
 */

/** Which estimate is wanted: the maximum, or the typical value. */
export type EstimateKind = 'most' | 'likely'

/** Tokens of a large image, and of a typical one. */
const PICTURE = { most: 3000, likely: 1000 }
/** This model counts an image as 33 times as many tokens as its larger sibling, to charge the same. */
const COSTLY_IMAGE = { most: 48_200, likely: 25_500 }
const COSTLY_IMAGE_MODELS = /^gpt-4o-mini/
/** OpenAI's smallest models count each of up to 1536 patches two and a half times. */
const PATCHED_PICTURE = { most: 3800, likely: 2520 }
const PATCHED_PICTURES = /^gpt-[\d.]+-nano/

export const imageTokens = (model: string, judged: EstimateKind) => {
  if (COSTLY_IMAGE_MODELS.test(model)) return COSTLY_IMAGE[judged]
  return (PATCHED_PICTURES.test(model) ? PATCHED_PICTURE : PICTURE)[judged]
}

/** Bytes per second: PCM (8 and 16 kHz, 16 bits), compressed audio, and video. */
const SAMPLED = { most: 16_000, likely: 32_000 }
const COMPRESSED = { most: 4000, likely: 16_000 }
const VIDEO_BYTES = { most: 60_000, likely: 250_000 }
const VIDEO_TOKENS_PER_SEC = { most: 300, likely: 263 }

/** Per second; OpenAI counts fewer. */
export const AUDIO_TOKENS = { google: 32, openai: 10 }

/** A page of a document without a page count has at least 20 KB, typically 50. Google counts it as one image; others add its text. */
const PAGE_BYTES = { most: 20_000, likely: 50_000 }
const PAGE = { most: 3000, likely: 2000 }
const GOOGLE_PAGE = { most: 1120, likely: 258 }

/** Bytes per token of a file of unknown content, or of more text than is decoded here. */
const TEXT_BYTES = { most: 2, likely: 4 }

/** Content by reference, which is not visible here. */
export const BY_REFERENCE = { most: 20_000, likely: 1000 }

export interface Media {
  type: string
  /** Decoded bytes. */
  size: number
  /** Pages of a document, or seconds of a recording, if known. */
  pages: number | undefined
  seconds: number | undefined
  /** The tokens of a document that is text. */
  textTokens: number | undefined
  google: boolean
  model: string
}

/** Whether it is billed as audio, and its tokens. */
export const mediaTokens = (
  { type, size, pages, seconds, textTokens, google, model }: Media,
  judged: EstimateKind,
): [audio: boolean, tokens: number] => {
  if (type.startsWith('audio/')) {
    const second = /wav|pcm|l16|aiff/.test(type) ? SAMPLED[judged] : COMPRESSED[judged]
    return [true, Math.ceil((seconds ?? size / second) * AUDIO_TOKENS[google ? 'google' : 'openai'])]
  }
  if (type.startsWith('video/')) return [false, Math.ceil((size / VIDEO_BYTES[judged]) * VIDEO_TOKENS_PER_SEC[judged])]
  if (type.startsWith('image/')) return [false, imageTokens(model, judged)]
  if (PAGED.test(type)) {
    return [false, (pages ?? Math.ceil(size / PAGE_BYTES[judged])) * (google ? GOOGLE_PAGE : PAGE)[judged]]
  }
  return [false, textTokens ?? Math.ceil(size / TEXT_BYTES[judged])]
}

const PAGED = /pdf|officedocument|msword/

export const isTextType = (type: string) =>
  /^text\/|json|xml|yaml|csv|javascript/.test(type) && !type.startsWith('image/') && !PAGED.test(type)

/** The decoded size of base64 text. */
export const unpackedSize = (letters: number) => Math.ceil((letters * 3) / 4)
