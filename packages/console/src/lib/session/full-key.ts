/** The value for the Authorization header; the server stores it without the prefix. */
export const fullKey = (key: string) => `sk-${key}`

/** Enough of a key for its owner to recognise it, and not enough to use it. */
export const maskedKey = (key: string) => `${fullKey(key.slice(0, 4))}${'•'.repeat(8)}${key.slice(-4)}`
