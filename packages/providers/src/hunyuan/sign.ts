export interface Tc3Request {
  secretId: string
  secretKey: string
  service: string
  host: string
  action: string
  contentType: string
  payload: string
  timestampSec: number
}

const SIGNED_HEADERS = 'content-type;host;x-tc-action'

/** The `Authorization` header of a POST to Tencent Cloud, by its signature v3 (TC3-HMAC-SHA256). */
export async function tc3Authorization(request: Tc3Request): Promise<string> {
  const date = new Date(request.timestampSec * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${request.service}/tc3_request`
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${request.contentType}`,
    `host:${request.host}`,
    `x-tc-action:${request.action.toLowerCase()}`,
    '',
    SIGNED_HEADERS,
    await sha256(request.payload),
  ].join('\n')
  const toSign = ['TC3-HMAC-SHA256', request.timestampSec, scope, await sha256(canonical)].join('\n')

  const dateKey = await hmac(bytes(`TC3${request.secretKey}`), date)
  const serviceKey = await hmac(dateKey, request.service)
  const signingKey = await hmac(serviceKey, 'tc3_request')
  const signature = hex(await hmac(signingKey, toSign))
  return `TC3-HMAC-SHA256 Credential=${request.secretId}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`
}

const bytes = (text: string) => new TextEncoder().encode(text)
const hex = (data: Uint8Array) => data.toHex()
const sha256 = async (text: string) => hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes(text))))

async function hmac(key: Uint8Array<ArrayBuffer>, text: string) {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes(text)))
}
