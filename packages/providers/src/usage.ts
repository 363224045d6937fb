/**
 * The usage of a call, in disjoint buckets of tokens: each token is in exactly one of them, and together they are what the vendor
 * counted. An adapter splits reports such as "input, of which cached". In addition: what is priced by the character, the second or the
 * piece, and how often the vendor ran its own tools that are billed per use.
 */
export interface Usage {
  /** Input that was neither cached, nor written to a cache, nor audio or image. */
  input: number
  cachedInput: number
  cachedAudio: number
  cachedImage: number
  cacheWrite: number
  /** Written to a cache with a lifetime of an hour or more, which costs more than one of minutes. */
  cacheWriteLong: number
  audioInput: number
  imageInput: number
  /** Visible output text. */
  output: number
  reasoning: number
  audioOutput: number
  imageOutput: number
  /** Web searches, not tokens. */
  webSearches: number
  /** Searches in files stored at the vendor, or of ranked documents; not tokens. */
  fileSearches: number
  /** Calls that used a map. */
  mapsQueries: number
  /** Containers started to run code, or runs where the vendor counts those. */
  codeSessions: number
  /** Pages read, where the vendor bills each of them. */
  sources: number
  /** Code points of text billed by the character, not tokens. */
  characters: number
  /** Of a video that was made. */
  videoSeconds: number
  /** Work that is priced per piece, whatever its size. */
  tasks: number
}

export const NO_USAGE: Usage = {
  input: 0,
  cachedInput: 0,
  cachedAudio: 0,
  cachedImage: 0,
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
  mapsQueries: 0,
  codeSessions: 0,
  sources: 0,
  characters: 0,
  videoSeconds: 0,
  tasks: 0,
}

/** All of them. */
export const BUCKETS = Object.keys(NO_USAGE) as (keyof Usage)[] // the keys of a literal of that type

/** Its last bucket is there only if all are: a report is whole, or has one side. */
export const isWhole = (usage: Partial<Usage>): usage is Usage =>
  usage.tasks !== undefined && usage.input !== undefined && usage.output !== undefined

/** Fills in the buckets that a vendor does not report. */
export const usageOf = (counted: Partial<Usage>): Usage => ({ ...NO_USAGE, ...counted })

export const cacheWrites = (usage: Pick<Usage, 'cacheWrite' | 'cacheWriteLong'>) =>
  usage.cacheWrite + usage.cacheWriteLong

export const cacheReads = (usage: Pick<Usage, 'cachedInput' | 'cachedAudio' | 'cachedImage'>) =>
  usage.cachedInput + usage.cachedAudio + usage.cachedImage

/** The buckets of input. */
export type InputUsage = Pick<
  Usage,
  | 'input'
  | 'cachedInput'
  | 'cachedAudio'
  | 'cachedImage'
  | 'cacheWrite'
  | 'cacheWriteLong'
  | 'audioInput'
  | 'imageInput'
>

export const inputTokens = (usage: InputUsage) =>
  usage.input + cacheReads(usage) + cacheWrites(usage) + usage.audioInput + usage.imageInput

export const outputTokens = (usage: Usage) => usage.output + usage.reasoning + usage.audioOutput + usage.imageOutput
