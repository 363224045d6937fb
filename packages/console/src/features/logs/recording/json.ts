export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const textIn = (value: unknown) => (typeof value === 'string' ? value : '')

/** Undefined for invalid JSON, such as a truncated body. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Arguments are JSON in a string, or already an object. */
export const prettyJson = (value: unknown) => {
  const read = typeof value === 'string' ? parsed(value) : value
  return read === undefined ? textIn(value) : JSON.stringify(read, null, 2)
}
