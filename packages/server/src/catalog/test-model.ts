/** Embedding models, and models that neither embed nor chat: testing those would generate an image or speech. */
const EMBEDS = /embed|(^|[/-])bge-(?!reranker)|(^|\/)tao-8k$/i
const OTHER =
  /rerank|whisper|transcribe|(^|[^a-z])(tts|asr|ocr|veo|sora|live)([^a-z]|$)|speech|audio|realtime|voice|moderation|guard|safety|davinci|babbage|curie|dall-e|image|imagine|^mj_|flux|stable-diffusion|sdxl|cogview|cogvideo|wanx?\d|hailuo|ideogram|recraft|seedream|step-\dx|video/i

/** The kind of call used to test a model. */
export type TestKind = 'chat' | 'embeddings'

export const testKindOf = (model: string): TestKind | undefined =>
  EMBEDS.test(model) ? 'embeddings' : OTHER.test(model) ? undefined : 'chat'

const PREFERRED = 'gpt-3.5-turbo'

/**
 * The model to test a channel with: the requested one, the channel's own choice, the classic, or the first chat model. A
 * channel with embedding models only is tested by embedding.
 */
export const testModelOf = (models: readonly string[], requested: string, own: string): string | undefined => {
  const first = (kind: TestKind) => models.find((model) => testKindOf(model) === kind)
  const chosen = [requested, own, PREFERRED].find((model) => model !== '' && models.includes(model))
  return chosen ?? first('chat') ?? first('embeddings')
}
