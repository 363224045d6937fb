/** What a channel offers, and what its provider calls it. */
export interface Offer {
  models: readonly string[]
  mapping: ReadonlyMap<string, string>
}

/** What was found so far. */
export interface Found {
  listed: readonly string[]
  /** Came, is not offered, and nobody has decided on it. */
  added: readonly string[]
  /** Offered and not listed, by the provider's names. */
  missing: readonly string[]
  /** Not listed either, but somebody wants to keep it. */
  kept: readonly string[]
}

/**
 * A list against what the channel offers, and against the list before: what had been there without being offered is no news. Of
 * the first list nothing is, but what is missing.
 */
export const compare = (offer: Offer, listed: readonly string[], before: Found | undefined): Found => {
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

/** What of it still stands for a channel that may have been edited since. */
export const standing = (offer: Offer, { added, missing, kept, listed }: Found) => {
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

/** A list that says that nothing is left more likely is no list. */
export const namesNone = (offer: Offer, listed: readonly string[]) => {
  const names = new Set(listed)
  return offer.models.length > 0 && offer.models.every((model) => !names.has(upstreamOf(offer, model)))
}

/** Less than half of what it was, and something that is offered went. */
export const isShrunk = (offer: Offer, listed: readonly string[], before: Found | undefined) => {
  if (before === undefined || listed.length * 2 >= before.listed.length) return false
  const had = new Set(before.missing)
  return compare(offer, listed, before).missing.some((model) => !had.has(model))
}

export const upstreamOf = ({ mapping }: Offer, model: string) => mapping.get(model) ?? model

/** By their own names, and as what other names are mapped to. */
const offeredNames = (offer: Offer) => new Set(offer.models.flatMap((model) => [model, upstreamOf(offer, model)]))
