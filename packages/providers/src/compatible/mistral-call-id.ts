const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/**
 * Mistral takes nine letters and digits. An id of another vendor becomes the same nine wherever it stands, so that a
 * result still finds its call.
 */
export function mistralCallId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id
  // FNV-1a over 64 bits: no secret depends on it, and two calls of one turn must not meet.
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return Array.from({ length: 9 }, (_, place) => LETTERS[Number((hash / 62n ** BigInt(place)) % 62n)]).join('')
}
