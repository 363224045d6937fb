import type { UpstreamFailure } from '../failure.ts'

/** OpenAI's error object. */
export const openAiError = ({ message, type, param, code }: UpstreamFailure) => ({
  error: { message, type, param, code },
})
