import type { Channel } from '@tollgate/contract'

/** How many channels a text of keys makes: one per line, except where a key itself spans lines. */
export function keyCount(type: number, text: string) {
  if (text.trim() === '') return 0
  if (type === 42 || text.includes('{')) return 1
  return text.split('\n').filter((line) => line.trim() !== '').length
}

type Place = Pick<Channel, 'type' | 'base_url'>

/** A stored key is bound to the vendor and the host it was given for; elsewhere it has to be typed again. */
export const mustRetype = (now: Place, stored: Place) =>
  now.type !== stored.type || originOf(now.base_url) !== originOf(stored.base_url)

const originOf = (address: string) => URL.parse(address.trim())?.origin ?? ''
