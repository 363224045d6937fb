import { z } from 'zod'

/** What a model is sold by: a million tokens or characters, a second of video, an image, or a search. */
export const PriceUnit = z.enum(['tokens', 'characters', 'second', 'image', 'search'])

export type PriceUnit = z.infer<typeof PriceUnit>

/** Quota per million tokens, and per call, including the group's factor. */
export const ShownPrice = z.object({
  source: z.string(),
  unit: PriceUnit,
  /** Quota per unit, where the unit is not a million tokens. */
  each: z.number(),
  input: z.number(),
  /** Input that the provider had cached. */
  cached: z.number(),
  output: z.number(),
  request: z.number(),
})

export type ShownPrice = z.infer<typeof ShownPrice>

/** What a model costs the caller. */
export const ModelPrice = z.object({
  model: z.string(),
  /** The model behind an alias; empty for none. */
  alias_of: z.string(),
  /** The group whose channels answer, and whose ratio is part of the price. */
  group: z.string(),
  /** In the order in which channels are tried; equal ones once. */
  prices: z.array(ShownPrice),
})

export type ModelPrice = z.infer<typeof ModelPrice>
