/*
 * What calls of these tests cost. Every token costs 1. The prompt is 6 tokens by our estimate and 11 by
 * the provider's count; the ten words of an answer are 10 tokens by both.
 */
export const EACH_TOKEN_COSTS_1 = { DefaultModelRatio: 1 }
export const PROMPT = 6
/** The hold for it. */
export const PROMPT_HELD = 12
export const REPORTED = 11 + 10
export const ESTIMATED = PROMPT + 10

/** Reads a stream until a text has arrived. */
export async function readUntil(response: Response, text: string) {
  const decoder = new TextDecoder()
  let all = ''
  for await (const chunk of response.body ?? []) {
    all += decoder.decode(chunk, { stream: true })
    if (all.includes(text)) return all
  }
  throw new Error(`The stream ended before ${text}: ${all}`)
}
