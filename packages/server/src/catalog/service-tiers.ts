import { micros } from '../ledger/rounding.ts'

/** Service tiers and their factor of the usual price, by the vendors' price lists. */
const SERVICE_TIERS: readonly (readonly [serviceTier: RegExp, models: RegExp, times: number])[] = [
  [/^ultrafast$/, /^gpt-/, 6],
  [/^flex$/, /^(gpt-|o\d|gemini-)/, 0.5],
  [/^(priority|fast)$/, /^gpt-5\.5/, 2.5],
  [/^(priority|fast)$/, /^gpt-5-mini/, 1.8],
  [/^(priority|fast)$/, /^(gpt-4\.1|o3)/, 1.75],
  [/^(priority|fast)$/, /^gpt-4o-mini/, 5 / 3],
  [/^(priority|fast)$/, /^gpt-4o/, 1.7],
  [/^(priority|fast)$/, /^o4-mini/, 20 / 11],
  [/^(priority|fast)$/, /^gemini-/, 1.8],
  [/^(priority|fast)$/, /^(gpt-|o\d|grok-)/, 2],
  [/^fast$/, /^claude-opus-4-[67]/, 6],
  [/^fast$/, /^claude-/, 2],
  [/^fast us$/, /^claude-opus-4-[67]/, 6.6],
  [/^fast us$/, /^claude-/, 2.2],
  [/^us$/, /^claude-/, 1.1],
]

/** The price factor of a service tier in units of 10⁻⁶; undefined for the default tier. */
export const serviceTierFactor = (model: string, serviceTier: string | undefined): bigint | undefined => {
  if (serviceTier === undefined) return undefined
  // Resellers prefix the vendor.
  const name = model.slice(model.lastIndexOf('/') + 1)
  const [, , times] = SERVICE_TIERS.find(([tier, models]) => tier.test(serviceTier) && models.test(name)) ?? []
  return times === undefined ? undefined : micros(times)
}
