import type { Call } from '../surfaces/call.ts'
import { tokensPerImage } from './sold-by-image.ts'

/*
 * Token counts of generated images. OpenAI counts them by size and quality; an image of models billed neither by the token nor
 * per image counts as 1000.
 */

const USUAL_PICTURE = 1000

/** For 1024 by 1024; the long formats have half as many more. */
const SQUARE = new Map([
  ['low', 272],
  ['medium', 1056],
  ['high', 4160],
])
const LONG = 1.5
const PIXELS = 1024 * 1024
/** Each partial preview of an image. */
const PARTIAL = 100
/** For an image to edit: at low or high input fidelity. */
const CHANGED = { low: 3200, high: 6400 }

/** Per image of a call; the most expensive option when the call leaves the choice to the model. */
export const tokensOfImage = (call: Call): number => {
  if (!isByToken(call.model)) return tokensPerImage(call) ?? USUAL_PICTURE
  const square = SQUARE.get(textOf(call, 'quality')) ?? 4160
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(textOf(call, 'size')) ?? []
  const area =
    width === undefined || height === undefined ? LONG : Math.max(1, (Number(width) * Number(height)) / PIXELS)
  const partial = Number(textOf(call, 'partial_images')) || 0
  return Math.ceil(square * area) + Math.min(Math.max(partial, 0), 10) * PARTIAL
}

/** For the images in a form. */
export const tokensOfForm = ({ model, form }: Call): number => {
  if (form === undefined) return 0
  let pictures = 0
  for (const [, value] of form.entries()) if (typeof value !== 'string') pictures++
  if (!isByToken(model)) return pictures * USUAL_PICTURE
  return pictures * CHANGED[form.get('input_fidelity') === 'high' ? 'high' : 'low']
}

const isByToken = (model: string) => /gpt-image|chatgpt-image/.test(model)

const textOf = ({ body, form }: Call, name: string) => String(form?.get(name) ?? body[name] ?? '')
