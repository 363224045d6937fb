import { randomBytes } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random letters and digits, each equally likely. */
export const randomText = (length: number) => {
  let text = ''
  while (text.length < length) {
    // 248 is the largest multiple of 62 below 256: bytes above it would favour the first letters.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += BASE62[byte % 62]
  }
  return text
}

export const randomHex = (bytes: number) => randomBytes(bytes).toString('hex')

/** Six digits, each combination equally likely. */
export const randomDigits = () => {
  for (;;) {
    const number = randomBytes(4).readUInt32BE()
    if (number < 4_294_000_000) return String(number % 1_000_000).padStart(6, '0')
  }
}

/** For looking up a secret by value: the stored hash cannot be reversed. */
export const lookupHash = (secret: string) => Bun.SHA256.hash(secret, 'hex')
