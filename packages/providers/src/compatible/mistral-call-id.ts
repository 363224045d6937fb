const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/**
 * Mistral accepts ids of nine letters and digits. Another vendor's id always maps to the same nine, so that a result still
 * matches its call.
 */
export function mistralCallId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id
  // FNV-1a over 64 bits: nothing secret depends on it, and ids of one turn must not collide.
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return Array.from({ length: 9 }, (_, place) => LETTERS[Number((hash / 62n ** BigInt(place)) % 62n)]).join('')
}
