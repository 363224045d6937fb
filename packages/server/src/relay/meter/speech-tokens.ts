/** OpenAI's speech costs 1.5 cents per minute at 12 dollars per million tokens. */
const SPEECH_TOKENS_PER_SEC = 1250 / 60

/** The tokens of speech billed by the token. */
export const speechTokens = (seconds: number) => Math.ceil(seconds * SPEECH_TOKENS_PER_SEC)
