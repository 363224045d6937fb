import { fieldsOf, textOf } from './json.ts'

/*
 * The service tier reported by the vendor, because tiers have different prices. A busy vendor may fall back to another tier
 * than requested, and reports it.
 */

const wordOf = (value: unknown) =>
  textOf(value)
    ?.toLowerCase()
    .replace(/^service_tier_/, '')

export const readOpenAiServiceTier = (body: unknown) => {
  const { response = body } = fieldsOf(body)
  return wordOf(fieldsOf(response).service_tier)
}

export const readAnthropicServiceTier = (body: unknown) => {
  const { message = body } = fieldsOf(body)
  const { speed, inference_geo } = fieldsOf(fieldsOf(message).usage)
  return withPlace(wordOf(speed), inference_geo)
}

/** Processing in one country costs extra, as a faster tier does. */
const withPlace = (tier: string | undefined, place: unknown) => {
  if (wordOf(place) !== 'us') return tier
  return tier === 'fast' ? 'fast us' : 'us'
}

export const readGeminiServiceTier = (body: unknown) => wordOf(fieldsOf(fieldsOf(body).usageMetadata).serviceTier)

/** The tier requested by the caller, in any of the dialects. */
export const requestedServiceTier = ({ service_tier, serviceTier, speed, inference_geo }: Record<string, unknown>) =>
  withPlace(wordOf(speed) ?? wordOf(service_tier) ?? wordOf(serviceTier), inference_geo)
