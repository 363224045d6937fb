/** Models that do not chat, by their usual names. */
const OTHER_KINDS =
  /embed|rerank|whisper|transcribe|tts|dall-e|imagen|moderation|image|realtime|bge-|speech|stable-diffusion|flux|sora|veo|wanx|cogview/i

/** The chat models of a list, judged by name; all of them when none matches. */
export const chatModels = (models: readonly string[]) => {
  const chats = models.filter((model) => !OTHER_KINDS.test(model))
  return chats.length === 0 ? [...models] : chats
}

/** The newest model of the first matching pattern: of two names, the one with the higher numbers. */
export const bestModel = (models: readonly string[], patterns: readonly RegExp[]) => {
  for (const pattern of patterns) {
    const [best] = models.filter((model) => pattern.test(model)).sort(newestFirst)
    if (best !== undefined) return best
  }
  return undefined
}

const byNumber = new Intl.Collator('en', { numeric: true })
/** A trailing date is a release date, not a generation. */
const withoutDate = (model: string) => model.replace(/[-@:](\d{8}|\d{4}-\d{2}-\d{2})$/, '')
const newestFirst = (one: string, other: string) =>
  byNumber.compare(withoutDate(other), withoutDate(one)) || byNumber.compare(one, other)
