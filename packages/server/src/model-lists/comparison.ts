/** The models a channel offers, and their provider names. */
export interface Offer {
  models: readonly string[]
  mapping: ReadonlyMap<string, string>
}

/** The result of earlier checks. */
export interface ListFindings {
  listed: readonly string[]
  /** New, not offered, and not decided on. */
  added: readonly string[]
  /** Offered and not listed, by the provider's names. */
  missing: readonly string[]
  /** Not listed either, but someone chose to keep it. */
  kept: readonly string[]
}

/**
 * Compares a list with the channel's offer and with the previous list: a model that was listed without being offered is not new.
 * In the first list nothing is new, but models may be missing.
 */
export const compare = (offer: Offer, listed: readonly string[], before: ListFindings | undefined): ListFindings => {
  const names = new Set(listed)
  const offered = offeredNames(offer)
  const upstream = new Set(offer.models.map((model) => upstreamOf(offer, model)))
  const known = new Set(before?.listed ?? listed)
  const undecided = new Set(before?.added)
  const unlisted = [...upstream].filter((model) => !names.has(model))
  const kept = new Set(before?.kept.filter((model) => upstream.has(model) && !names.has(model)))
  return {
    listed,
    added: listed.filter((model) => !offered.has(model) && (!known.has(model) || undecided.has(model))),
    missing: unlisted.filter((model) => !kept.has(model)),
    kept: [...kept],
  }
}

/** What still applies to a channel that may have been edited since. */
export const currentFindings = (offer: Offer, { added, missing, kept, listed }: ListFindings) => {
  const offered = offeredNames(offer)
  const [gone, ignored, news] = [new Set(missing), new Set(kept), new Set(added)]
  const named = (models: ReadonlySet<string>) =>
    offer.models
      .map((model) => ({ model, upstream: upstreamOf(offer, model) }))
      .filter(({ upstream }) => models.has(upstream))
  const free = listed.filter((model) => !offered.has(model))
  return {
    added: added.filter((model) => !offered.has(model)),
    missing: named(gone),
    kept: named(ignored),
    others: free.filter((model) => !news.has(model)),
  }
}

/** A list without any offered model is more likely broken. */
export const listsNoneOffered = (offer: Offer, listed: readonly string[]) => {
  const names = new Set(listed)
  return offer.models.length > 0 && offer.models.every((model) => !names.has(upstreamOf(offer, model)))
}

/** Less than half its previous size, and an offered model is missing. */
export const isShrunk = (offer: Offer, listed: readonly string[], before: ListFindings | undefined) => {
  if (before === undefined || listed.length * 2 >= before.listed.length) return false
  const had = new Set(before.missing)
  return compare(offer, listed, before).missing.some((model) => !had.has(model))
}

export const upstreamOf = ({ mapping }: Offer, model: string) => mapping.get(model) ?? model

/** By their own names, and as targets of the mapping. */
const offeredNames = (offer: Offer) => new Set(offer.models.flatMap((model) => [model, upstreamOf(offer, model)]))
