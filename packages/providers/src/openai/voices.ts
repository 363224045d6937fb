const VOICES = /^(alloy|ash|ballad|cedar|coral|echo|fable|marin|nova|onyx|sage|shimmer|verse)$/

/** OpenAI's clients must name a voice, usually one of OpenAI's; to other vendors that means "any". */
export const isOpenAiVoice = (voice: string) => VOICES.test(voice)
