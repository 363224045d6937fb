/** Names of models that do something other than chat. */
const OTHER =
  /embed|bge-|rerank|whisper|transcribe|tts|speech|audio|dall-e|image|flux|stable-diffusion|cogview|wanx|imagen|veo|sora|moderation|guard|davinci|babbage|curie|realtime/i

const isChatModel = (name: string) => !OTHER.test(name)

/** The model with which a channel is tried: a small one that many have, else the first that chats. */
export const testModelOf = (models: readonly string[]) =>
  models.find((name) => name === 'gpt-3.5-turbo') ?? models.find(isChatModel)
