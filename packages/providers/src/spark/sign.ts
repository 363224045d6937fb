/**
 * The WebSocket URL at iFlytek: host, date and request line are signed, and the signature is in the query. The server
 * accepts a clock difference of at most five minutes.
 */
export async function signedUrl(
  address: URL,
  { apiKey, apiSecret, nowMs }: { apiKey: string; apiSecret: string; nowMs: number },
): Promise<string> {
  const date = new Date(nowMs).toUTCString()
  const signature = await hmac(apiSecret, `host: ${address.host}\ndate: ${date}\nGET ${address.pathname} HTTP/1.1`)
  const credential = `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const signed = new URL(address)
  signed.search = new URLSearchParams({
    authorization: bytes(credential).toBase64(),
    date,
    host: address.host,
  }).toString()
  return signed.href
}

const bytes = (text: string) => new TextEncoder().encode(text)

async function hmac(secret: string, text: string) {
  const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text))).toBase64()
}
