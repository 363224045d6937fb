/*
 * Videos cost by their size. The price of a model is that of its first size here; the others are shares of it, so that a
 * ratio of the operator's applies to all of them. Cents for a second, from https://platform.openai.com/docs/pricing (2026-11), and for
 * Veo from https://ai.google.dev/gemini-api/docs/pricing as others quote it.
 */

interface VideoModel {
  models: RegExp
  seconds: readonly number[]
  cents: ReadonlyMap<string, bigint>
  /** For sizes that are not available in every length. */
  lengths?: ReadonlyMap<string, readonly number[]>
  /** One price, whatever the size and length. */
  byPiece?: true
}

const SORA_SECONDS = [4, 8, 12]

/** Veo offers the larger sizes in one length only. */
const veo = (models: RegExp, [hd, fullHd, ultraHd]: readonly [bigint, bigint, bigint?]): VideoModel => {
  const larger = [...FULL_HD, ...(ultraHd === undefined ? [] : ULTRA_HD)]
  return {
    models,
    seconds: [4, 6, 8],
    cents: new Map([
      ...HD.map((size) => [size, hd] as const),
      ...larger.map((size) => [size, ULTRA_HD.includes(size) ? (ultraHd ?? fullHd) : fullHd] as const),
    ]),
    lengths: new Map(larger.map((size) => [size, [8]])),
  }
}

const HD = ['720x1280', '1280x720']
const FULL_HD = ['1080x1920', '1920x1080']
const ULTRA_HD = ['2160x3840', '3840x2160']

/** Sizes at one price; for Wan and Hailuo because their differences are not known. */
const alike = (sizes: readonly string[]) => new Map(sizes.map((size) => [size, 1n]))

const COG_SIZES = ['720x1280', '1280x720', '1024x1024', '1080x1920', '1920x1080', '2048x1080', '3840x2160']

const VIDEO_MODELS: readonly VideoModel[] = [
  { models: /^cogvideox-(?:3|flash)$/, seconds: [5, 10], cents: alike(COG_SIZES), byPiece: true },
  {
    models: /^MiniMax-Hailuo-(?:02|2\.3)$/,
    seconds: [6, 10],
    cents: alike(['1366x768', '1920x1080']),
    lengths: new Map([['1920x1080', [6]]]),
  },
  veo(/^veo-3\.1-lite-/, [5n, 8n]),
  veo(/^veo-3\.1-fast-/, [10n, 12n, 30n]),
  veo(/^veo-3\.1-generate-/, [40n, 40n, 60n]),
  {
    models: /^sora-2-pro(?:-|$)/,
    seconds: SORA_SECONDS,
    cents: new Map([
      ['720x1280', 30n],
      ['1280x720', 30n],
      ['1024x1792', 50n],
      ['1792x1024', 50n],
    ]),
  },
  {
    models: /^sora-2(?:-|$)/,
    seconds: SORA_SECONDS,
    cents: new Map([
      ['720x1280', 10n],
      ['1280x720', 10n],
    ]),
  },
]

/** The videos a model offers; undefined when only its vendor knows. */
export const videoModel = (model: string): VideoModel | undefined => {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return VIDEO_MODELS.find(({ models }) => models.test(name))
}

/** The share of the listed price; undefined where the size does not matter, or is not sold. */
export const shareOfVideoPrice = (model: string, size: string): readonly [bigint, bigint] | undefined => {
  const cents = videoModel(model)?.cents
  const [listed] = cents?.values() ?? []
  const own = cents?.get(size)
  return listed === undefined || own === undefined ? undefined : [own, listed]
}

export const isSoldByVideo = (model: string) => videoModel(model)?.byPiece === true
