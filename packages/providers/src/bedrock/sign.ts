import { keyParts } from '../key-parts.ts'
import type { Access, UpstreamRequest } from '../upstream-request.ts'
import { Sha256 } from './sha256.ts'

/** Credentials: a key pair, or a Bedrock API key, which needs no signature. */
export type Credentials = { region: string } & ({ ak: string; sk: string } | { bearer: string })

/** From the channel's fields; when they are empty, the key column holds all three parts. */
export function credentialsOf({ key, config }: Access): Credentials {
  const { ak, sk, region } = config
  if (ak && sk && region) return { ak, sk, region }
  if (region && key !== '' && !key.includes('|')) return { bearer: key, region }
  return keyParts(key, { vendor: 'AWS', names: ['ak', 'sk', 'region'] })
}

/** Signs a request (SigV4), or adds the API key. */
export async function signed(
  { method = 'POST', url, body, nowMs }: { method?: 'GET' | 'POST'; url: string; body?: string; nowMs: number },
  credentials: Credentials,
): Promise<UpstreamRequest> {
  const headers = { 'content-type': 'application/json' }
  const payload = body === undefined ? {} : { body }
  if ('bearer' in credentials) {
    return { method, url, ...payload, headers: { ...headers, authorization: `Bearer ${credentials.bearer}` } }
  }
  // Loaded on first use: most gateways never sign, and every start would pay for it.
  const { SignatureV4 } = await import('@smithy/signature-v4')
  const { protocol, host, hostname, pathname, searchParams } = new URL(url)
  const signer = new SignatureV4({
    service: 'bedrock',
    region: credentials.region,
    credentials: { accessKeyId: credentials.ak, secretAccessKey: credentials.sk },
    sha256: Sha256,
  })
  const query = Object.fromEntries(searchParams)
  const request = { method, protocol, hostname, path: pathname, query, headers: { ...headers, host }, ...payload }
  const { headers: all } = await signer.sign(request, { signingDate: new Date(nowMs) })
  // The HTTP client sets the host header itself, from the same URL.
  const { host: _, ...rest } = all
  return { method, url, ...payload, headers: rest }
}
