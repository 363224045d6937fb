/*
 * Videos cost by their size. The price of a model is that of its first size here; the others are shares of it, so that a
 * ratio of the operator's applies to all of them. Cents for a second, from https://platform.openai.com/docs/pricing (2026-11).
 */

interface VideoModel {
  models: RegExp
  seconds: readonly number[]
  cents: ReadonlyMap<string, bigint>
}

const SORA_SECONDS = [4, 8, 12]

const VIDEO_MODELS: readonly VideoModel[] = [
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

/** Which videos a model makes; undefined where only its vendor knows. */
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
