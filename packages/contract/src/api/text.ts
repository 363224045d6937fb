export const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const isJsonObject = (text: string) => {
  if (!isJson(text)) return false
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `https://host/` and `https://host` are the same base address; the product stores the latter. */
export const stripTrailingSlash = (url: string) => (url.endsWith('/') ? url.slice(0, -1) : url)

/** `a, b,,a` → `['a', 'b']`: the entries of a comma list, trimmed, without blanks and duplicates. */
export const commaList = (text: string) => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]
