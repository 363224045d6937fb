import { fieldsOf, textOf } from './json.ts'

/*
 * How urgently a vendor worked, by its own word, because faster and slower have prices of their own. A vendor that is
 * busy may fall back from what was asked for, and says so.
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

/** To have the work done in one country costs extra, as speed does. */
const withPlace = (pace: string | undefined, place: unknown) => {
  if (wordOf(place) !== 'us') return pace
  return pace === 'fast' ? 'fast us' : 'us'
}

export const readGeminiServiceTier = (body: unknown) => wordOf(fieldsOf(fieldsOf(body).usageMetadata).serviceTier)

/** As a caller asks for it, in any of the dialects. */
export const requestedServiceTier = ({ service_tier, serviceTier, speed, inference_geo }: Record<string, unknown>) =>
  withPlace(wordOf(speed) ?? wordOf(service_tier) ?? wordOf(serviceTier), inference_geo)
