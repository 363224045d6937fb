import { NO_USAGE, type Usage } from '@tollgate/providers'
import type { Price } from '../../catalog/prices.ts'
import type { Call } from '../surfaces/call.ts'
import { tokensPerImage } from './sold-by-image.ts'

/** Speech is billed by characters or by tokens including the audio; never by both. */
export const inSoldUnits = (usage: Usage, { rates }: Pick<Price, 'rates'>): Usage => {
  if (usage.characters === 0) return usage
  return rates.characters === 0n ? { ...usage, characters: 0 } : { ...NO_USAGE, characters: usage.characters }
}

/** Whether only characters have a price, whatever else a vendor reports. */
export const isSoldByCharacter = ({ rates }: Pick<Price, 'rates'>) => rates.characters > 0n && rates.output === 0n

/** Whether a report lacks what is sold: the searches of a rerank, images with a price each, recordings by the minute. Its tokens cost nothing. */
export const lacksSoldUnits = (reported: Usage, call: Call, { rates }: Pick<Price, 'rates'>): boolean => {
  const { name } = call.operation
  if (name === 'rerank') return reported.fileSearches === 0 && rates.fileSearches > 0n && rates.input === 0n
  // Even tokens of the image are not what such a model is sold by.
  if (name.startsWith('images/')) return tokensPerImage(call) !== undefined
  return name.startsWith('audio/trans') && reported.audioInput === 0 && rates.audioInput > 0n && rates.output === 0n
}

/** As vendors count them: in code points, neither graphemes nor UTF-16 units. */
export const charactersOf = (text: string) => {
  let count = text.length
  for (let at = 0; at < text.length; at++) if (isSecondHalf(text.charCodeAt(at))) count--
  return count
}

const isSecondHalf = (code: number) => code >= 0xdc00 && code <= 0xdfff
