/** The whole body as text; undefined as soon as it is longer than allowed. What decompression yields is counted. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return undefined // leaving the loop cancels the body, and with it the connection
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
