/*
 * What files in a prompt come to in tokens. They are paid by what a model sees and hears in them, of which the media
 * type and the length tell enough; their letters of base64 are no text.
 */

/** How a file is judged: by the most that it may come to, or by what is usual. */
export type Judgement = 'most' | 'likely'

/** As many as vendors take for a large picture, and for a usual one. */
const PICTURE = { most: 3000, likely: 1000 }
/** It counts a picture as 33 times as many tokens as its larger sibling, to charge the same. */
const DEAR_PICTURE = { most: 48_200, likely: 25_500 }
const DEAR_PICTURES = /^gpt-4o-mini/
/** The smallest of OpenAI's models count each of up to 1536 patches two and a half times. */
const PATCHED_PICTURE = { most: 3800, likely: 2520 }
const PATCHED_PICTURES = /^gpt-[\d.]+-nano/

export const pictureTokens = (model: string, judged: Judgement) => {
  if (DEAR_PICTURES.test(model)) return DEAR_PICTURE[judged]
  return (PATCHED_PICTURES.test(model) ? PATCHED_PICTURE : PICTURE)[judged]
}

/** Bytes of a second: of samples as they are (8 and 16 kHz, 16 bits), compressed, and of film. */
const SAMPLED = { most: 16_000, likely: 32_000 }
const COMPRESSED = { most: 4000, likely: 16_000 }
const FILM = { most: 60_000, likely: 250_000 }
const FILM_TOKENS = { most: 300, likely: 263 }

/** For a second; OpenAI takes fewer. */
export const AUDIO_TOKENS = { google: 32, openai: 10 }

/** Of a document that does not say how many pages it has, one has 20 KB at least, or 50 as a rule. Google sees it as one picture; the others read its text beside. */
const PAGE_BYTES = { most: 20_000, likely: 50_000 }
const PAGE = { most: 3000, likely: 2000 }
const GOOGLE_PAGE = { most: 1120, likely: 258 }

/** Of a text that was packed: code and most scripts have a token for two bytes, prose for four. */
const TEXT_BYTES = { most: 2, likely: 4 }

/** What lies elsewhere, and is not seen here. */
export const UNSEEN = { most: 20_000, likely: 1000 }

export interface Media {
  type: string
  /** In bytes, unpacked. */
  size: number
  /** Of a document, or a recording in seconds, where it says so. */
  pages: number | undefined
  seconds: number | undefined
  google: boolean
  model: string
}

/** Whether it is paid as sound, and how many tokens it has. */
export const mediaTokens = (
  { type, size, pages, seconds, google, model }: Media,
  judged: Judgement,
): [audio: boolean, tokens: number] => {
  if (type.startsWith('audio/')) {
    const second = /wav|pcm|l16|aiff/.test(type) ? SAMPLED[judged] : COMPRESSED[judged]
    return [true, Math.ceil((seconds ?? size / second) * AUDIO_TOKENS[google ? 'google' : 'openai'])]
  }
  if (type.startsWith('video/')) return [false, Math.ceil((size / FILM[judged]) * FILM_TOKENS[judged])]
  if (type.startsWith('image/')) return [false, pictureTokens(model, judged)]
  if (/pdf|officedocument|msword/.test(type)) {
    return [false, (pages ?? Math.ceil(size / PAGE_BYTES[judged])) * (google ? GOOGLE_PAGE : PAGE)[judged]]
  }
  return [false, Math.ceil(size / TEXT_BYTES[judged])]
}

/** Of so many letters of base64. */
export const unpackedSize = (letters: number) => Math.ceil((letters * 3) / 4)
