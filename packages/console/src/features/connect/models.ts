/** What answers no chats, by the names that vendors give such models. */
const OTHER_KINDS =
  /embed|rerank|whisper|transcribe|tts|dall-e|imagen|moderation|image|realtime|bge-|speech|stable-diffusion|flux|sora|veo|wanx|cogview/i

/** The models of a list that can hold a conversation, as far as their names tell; all of them where none does. */
export const chatModels = (models: readonly string[]) => {
  const chats = models.filter((model) => !OTHER_KINDS.test(model))
  return chats.length === 0 ? [...models] : chats
}

/** The newest model of the first pattern that any of them fits: of two names, the one with the higher numbers. */
export const bestModel = (models: readonly string[], patterns: readonly RegExp[]) => {
  for (const pattern of patterns) {
    const [best] = models.filter((model) => pattern.test(model)).sort(newestFirst)
    if (best !== undefined) return best
  }
  return undefined
}

const byNumber = new Intl.Collator('en', { numeric: true })
/** A date at the end says when a model was made, not that it is another generation. */
const withoutDate = (model: string) => model.replace(/[-@:](\d{8}|\d{4}-\d{2}-\d{2})$/, '')
const newestFirst = (one: string, other: string) =>
  byNumber.compare(withoutDate(other), withoutDate(one)) || byNumber.compare(one, other)
