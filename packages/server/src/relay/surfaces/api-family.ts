/** Whose client libraries call: it decides the shape of errors and of lists of models. */
export type ApiFamily = 'openai' | 'anthropic' | 'google'

/**
 * By the path, also where it leads nowhere. Paths that the families share are told apart by the headers that their
 * libraries always send.
 */
export const familyAt = (
  path: string,
  { method, headers, url }: Pick<Request, 'method' | 'headers' | 'url'>,
): ApiFamily => {
  if (/^\/v1\/messages(\/|$)/.test(path)) return 'anthropic'
  // Google has a second surface in OpenAI's dialect, and its errors are OpenAI's.
  if (/^\/v1beta\/openai(\/|$)/.test(path)) return 'openai'
  if (/^\/v1beta(\/|$)/.test(path)) return 'google'
  // A model's own name may hold a colon as well; but only Google's clients post to a model.
  if (method === 'POST' && /^(\/v1)?\/models\/.+:\w+$/.test(path)) return 'google'
  if (isOpenAiPath(path)) return 'openai'
  if (headers.has('anthropic-version')) return 'anthropic'
  if (/^\/v1\/(files|batches)(\/|$)/.test(path)) return 'openai'
  if (headers.has('authorization')) return 'openai'
  if (headers.has('x-api-key')) return 'anthropic'
  return headers.has('x-goog-api-key') || /[?&]key=/.test(url) ? 'google' : 'openai'
}

const isOpenAiPath = (path: string) =>
  /^\/v1\/(chat|completions|responses|embeddings|images|audio|videos)(\/|$)/.test(path)
