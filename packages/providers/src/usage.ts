/**
 * What a call used, in disjoint buckets of tokens: each token is in exactly one of them, and together they are what the
 * vendor counted. A vendor that reports "input, of which cached" is taken apart by its adapter. Beside the tokens: how
 * often the vendor ran a tool of its own that it bills by the call.
 */
export interface Usage {
  /** Input that was neither cached, nor written to a cache, nor audio or image. */
  input: number
  cachedInput: number
  cacheWrite: number
  /** Written to a cache that lives for an hour, which costs more than one of minutes. */
  cacheWriteLong: number
  audioInput: number
  imageInput: number
  /** Visible output text. */
  output: number
  reasoning: number
  audioOutput: number
  imageOutput: number
  /** Searches of the web, not tokens. */
  webSearches: number
  /** Searches of files that the vendor keeps, or of documents that are ranked; not tokens. */
  fileSearches: number
}

export const NO_USAGE: Usage = {
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  audioInput: 0,
  imageInput: 0,
  output: 0,
  reasoning: 0,
  audioOutput: 0,
  imageOutput: 0,
  webSearches: 0,
  fileSearches: 0,
}

/** All buckets, from those that a vendor speaks of. */
export const usageOf = (counted: Partial<Usage>): Usage => ({ ...NO_USAGE, ...counted })

export const cacheWrites = (usage: Usage) => usage.cacheWrite + usage.cacheWriteLong

export const inputTokens = (usage: Usage) =>
  usage.input + usage.cachedInput + cacheWrites(usage) + usage.audioInput + usage.imageInput

export const outputTokens = (usage: Usage) => usage.output + usage.reasoning + usage.audioOutput + usage.imageOutput
