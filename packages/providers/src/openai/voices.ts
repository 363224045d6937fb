const VOICES = /^(alloy|ash|ballad|cedar|coral|echo|fable|marin|nova|onyx|sage|shimmer|verse)$/

/** OpenAI's clients have to name a voice, and name one of OpenAI's; to other vendors it means "any". */
export const isOpenAiVoice = (voice: string) => VOICES.test(voice)
