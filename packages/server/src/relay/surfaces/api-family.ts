/** The API family of the client library, which determines the format of errors and model lists. */
export type ApiFamily = 'openai' | 'anthropic' | 'google'

/** Also midjourney-proxy and Cohere, whose clients expect their own error formats and have no model lists here. */
export type ErrorFamily = ApiFamily | 'midjourney' | 'cohere'

/** `/mj/submit/imagine`, also after the speed that some servers know: `/mj-fast/mj/submit/imagine`. */
export const isMidjourneyPath = (path: string) => /^(?:\/mj-(?:fast|relax|turbo))?\/mj(?:\/|$)/.test(path)

/**
 * By the path, even an unknown one. Paths shared by several families are distinguished by headers that their libraries always send.
 */
export const familyAt = (
  path: string,
  { method, headers, url }: Pick<Request, 'method' | 'headers' | 'url'>,
): ApiFamily => {
  if (/^\/v1\/messages(\/|$)/.test(path)) return 'anthropic'
  // Google also has an OpenAI-compatible API, whose errors are OpenAI's.
  if (/^\/v1beta\/openai(\/|$)/.test(path)) return 'openai'
  if (/^\/(?:upload\/v1(?:beta)?|v1beta)(\/|$)/.test(path)) return 'google'
  // A model name may contain a colon too; but only Google's clients post to a model.
  if (method === 'POST' && /^(\/v1)?\/models\/.+:\w+$/.test(path)) return 'google'
  if (isOpenAiPath(path)) return 'openai'
  if (headers.has('anthropic-version')) return 'anthropic'
  // Google's libraries have these below /v1 too, since their third major version.
  const isGoogles = headers.has('x-goog-api-key') && !headers.has('authorization')
  if (/^\/v1\/(files|batches)(\/|$)/.test(path)) return isGoogles ? 'google' : 'openai'
  if (headers.has('authorization')) return 'openai'
  if (headers.has('x-api-key')) return 'anthropic'
  return headers.has('x-goog-api-key') || /[?&]key=/.test(url) ? 'google' : 'openai'
}

const isOpenAiPath = (path: string) =>
  /^\/v1\/(chat|completions|responses|embeddings|images|audio|videos)(\/|$)/.test(path)
