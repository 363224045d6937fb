import type { PriceUnit } from '@tollgate/contract'
import type { Price } from './prices.ts'
import { videoModel } from './video-sizes.ts'

/** A standard image counts as this many tokens. */
const IMAGE_TOKENS = 1000n
const MILLION = 1_000_000n

/** What a model is sold by, and the rate of one such unit. Only for display: charges are computed from the rates. */
export const priceUnit = (model: string, { rates }: Pick<Price, 'rates'>): { unit: PriceUnit; rate: bigint } => {
  if (videoModel(model) !== undefined) return { unit: 'second', rate: rates.videoSeconds }
  // An unknown model has a price for every unit; it is priced by the token.
  if (rates.characters > 0n && rates.output === 0n) return { unit: 'characters', rate: rates.characters * MILLION }
  if (rates.input > 0n || rates.output > 0n) return { unit: 'tokens', rate: 0n }
  if (rates.imageOutput > 0n) return { unit: 'image', rate: rates.imageOutput * IMAGE_TOKENS }
  if (rates.fileSearches > 0n) return { unit: 'search', rate: rates.fileSearches }
  return { unit: 'tokens', rate: 0n }
}
