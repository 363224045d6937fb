/** OpenAI's voices cost 1.5 cents a minute at 12 dollars for a million of these. */
const SPOKEN_TOKENS_PER_SEC = 1250 / 60

/** What so much speech comes to where it is sold by the token. */
export const spokenTokens = (seconds: number) => Math.ceil(seconds * SPOKEN_TOKENS_PER_SEC)
