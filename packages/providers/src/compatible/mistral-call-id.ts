import { createHash } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/**
 * Mistral accepts ids of nine letters and digits. Another vendor's id always maps to the same nine, so that a result still
 * matches its call.
 */
export function mistralCallId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id
  const hash = createHash('sha256').update(id).digest()
  return Array.from(hash.subarray(0, 9), (byte) => LETTERS[byte % LETTERS.length]).join('')
}
