import type { Call } from '../surfaces/call.ts'

/** A standard image; the price of such a model is that of this many tokens. */
const PICTURE = 1000

/** The price factor relative to a standard image, by size and quality, as OpenAI lists it. */
const FACTORS = new Map<string, (wanted: { size: string; quality: string }) => number>([
  ['dall-e-2', ({ size }) => (size === '256x256' ? 0.8 : size === '512x512' ? 0.9 : 1)],
  [
    'dall-e-3',
    ({ size, quality }) => {
      const isWide = size === '1792x1024' || size === '1024x1792'
      return quality === 'hd' ? (isWide ? 3 : 2) : isWide ? 2 : 1
    },
  ],
])

/** The tokens of one image for models billed per image; undefined for all others. */
export const tokensPerImage = ({ model, body, form }: Call): number | undefined => {
  const factor = FACTORS.get(model)
  const requested = (name: 'size' | 'quality') => String(body[name] ?? form?.get(name) ?? '')
  return factor && Math.round(factor({ size: requested('size'), quality: requested('quality') }) * PICTURE)
}
