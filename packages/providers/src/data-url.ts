const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i

/** The data of a data URL, or the URL to fetch it from. */
export function sourceOf(url: string): { url: string } | { mimeType: string; base64: string } {
  const head = DATA_URL.exec(url)
  if (head === null) return { url }
  return { mimeType: head[1] || 'application/octet-stream', base64: url.slice(head[0].length) }
}

export const urlOf = (source: { url: string } | { mimeType: string; base64: string }) =>
  'url' in source ? source.url : `data:${source.mimeType};base64,${source.base64}`
