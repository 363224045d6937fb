/** What callers put into the Authorization header; the server keeps it without the prefix. */
export const fullKey = (key: string) => `sk-${key}`

/** So much of a key that its owner knows which one it is, and nobody else can use it. */
export const maskedKey = (key: string) => `${fullKey(key.slice(0, 4))}${'•'.repeat(8)}${key.slice(-4)}`
