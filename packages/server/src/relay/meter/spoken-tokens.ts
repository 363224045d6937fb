/** OpenAI's speech costs 1.5 cents per minute at 12 dollars per million tokens. */
const SPOKEN_TOKENS_PER_SEC = 1250 / 60

/** The tokens of speech billed by the token. */
export const spokenTokens = (seconds: number) => Math.ceil(seconds * SPOKEN_TOKENS_PER_SEC)
