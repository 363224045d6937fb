import { NO_USAGE, type Usage } from '@tollgate/providers'
import type { Price } from '../../catalog/prices.ts'

/** Speech is billed by characters or by tokens including the audio; never by both. */
export const inSoldUnits = (usage: Usage, { rates }: Pick<Price, 'rates'>): Usage => {
  if (usage.characters === 0) return usage
  return rates.characters === 0n ? { ...usage, characters: 0 } : { ...NO_USAGE, characters: usage.characters }
}

/** Whether only characters have a price, whatever else a vendor reports. */
export const isSoldByCharacter = ({ rates }: Pick<Price, 'rates'>) => rates.characters > 0n && rates.output === 0n

/** As vendors count them: in code points, neither graphemes nor UTF-16 units. */
export const charactersOf = (text: string) => {
  let count = text.length
  for (let at = 0; at < text.length; at++) if (isSecondHalf(text.charCodeAt(at))) count--
  return count
}

const isSecondHalf = (code: number) => code >= 0xdc00 && code <= 0xdfff
