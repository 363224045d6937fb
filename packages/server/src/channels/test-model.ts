/** Names of models that do not chat. */
const NOT_CHAT =
  /embed|whisper|tts|dall-e|image|moderation|rerank|speech|audio|realtime|transcribe|bge-|flux|stable-diffusion|ocr/i

const PREFERRED = 'gpt-3.5-turbo'

/** Which model to test a channel with: the one asked for, the channel's own choice, the classic, or the first that chats. */
export const testModelOf = (models: readonly string[], asked: string, own: string): string | undefined => {
  const chats = models.filter((model) => !NOT_CHAT.test(model))
  return [asked, own, PREFERRED].find((model) => model !== '' && models.includes(model)) ?? chats[0]
}
