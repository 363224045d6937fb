import type { Access, UpstreamRequest } from '@tollgate/providers'

/** The parts of a request that can contain a secret. */
export type SentRequest = Pick<UpstreamRequest, 'url' | 'headers' | 'body'>

/** Shorter values are no secrets, and would match ordinary words. */
const SECRET_MIN = 8

/**
 * All secrets of a call, in every encoding in which they may have been sent; longest first, so that nothing is left of one that
 * contains another.
 */
export function secretsOf(access: Access, requests: readonly SentRequest[]): string[] {
  const plain = [...storedSecrets(access), ...requests.flatMap(sentSecrets)]
  const harmless = new Set(notSecret(access))
  const found = plain.filter((secret) => secret.length >= SECRET_MIN && !harmless.has(secret))
  return [...new Set(found.flatMap(formsOf))].sort((one, other) => other.length - one.length)
}

/** The whole key, and its parts: several vendors' keys consist of two or three. */
function storedSecrets({
  key,
  config: { ak = '', sk = '', vertex_ai_adc = '', header_rules = [], ...config },
}: Access) {
  const parts = key.startsWith('{') || vertex_ai_adc !== '' ? [] : key.split(/[|\s]|\.(?=[^.]+$)/)
  // A number is an account name, and could be part of any other number in an answer.
  const named = parts.filter((part) => !/^\d+$/.test(part))
  const carried = header_rules.flatMap(({ value = '' }) => inHeader(value))
  return [
    key,
    ...named,
    ak,
    sk,
    vertex_ai_adc,
    ...credentialsIn(vertex_ai_adc || key),
    ...carried,
    config.proxy_password ?? '',
  ]
}

/** Parts of a compound key that are not secret, and make errors more useful. */
const notSecret = ({ config: { region = '', vertex_ai_project_id = '', user_id = '' } }: Access) => [
  ...[region, vertex_ai_project_id, user_id],
  // The scheme in front of a proxy's key.
  ...['Bearer', 'DeepL-Auth-Key'],
]

/** The secret members of a Google account, and the lines of its private key. */
function credentialsIn(text: string): string[] {
  const open = text.indexOf('{')
  if (open < 0) return []
  try {
    const { private_key, client_secret, refresh_token } = Object(JSON.parse(text.slice(open)))
    const found = [private_key, client_secret, refresh_token].filter((value) => typeof value === 'string')
    return found.flatMap((value) => [value, ...value.split('\n').filter((line) => !line.startsWith('-----'))])
  } catch {
    return []
  }
}

const CREDENTIAL_HEADERS = /^(authorization|(x-)?(goog-)?api-key)$/
const CREDENTIAL_MEMBERS = /^(authorization|access_token|api_key|client_id|client_secret|refresh_token|assertion)$/

/** Tokens and signatures derived from the key, in headers, query or form. */
function sentSecrets({ url, headers, body }: SentRequest): string[] {
  const carried = Object.entries(headers).filter(([name]) => CREDENTIAL_HEADERS.test(name.toLowerCase()))
  const queries = [url.split('?')[1] ?? '', isForm(headers) && typeof body === 'string' ? body : '']
  const members = queries.flatMap((query) => [...new URLSearchParams(query)])
  return [
    ...carried.flatMap(([, value]) => inHeader(value)),
    ...members.filter(([name]) => CREDENTIAL_MEMBERS.test(name)).map(([, value]) => value),
  ]
}

const isForm = ({ 'content-type': type = '' }: Record<string, string>) => type.includes('x-www-form-urlencoded')

/** What follows the scheme, and the signature if there is one. */
function inHeader(value: string) {
  const signature = /Signature=(\w+)/.exec(value)?.[1]
  return signature === undefined ? [value.replace(/^[\w-]+ (?=.{8})/, '')] : [signature]
}

function formsOf(secret: string): string[] {
  const quoted = JSON.stringify(secret).slice(1, -1)
  const twice = JSON.stringify(quoted).slice(1, -1)
  const inQuery = new URLSearchParams({ '': secret }).toString().slice(1)
  const plain = [secret, quoted, twice, quoted.replaceAll('/', '\\/'), encodeURIComponent(secret), inQuery]
  return [...plain, ...base64Forms(secret)].filter((form) => form.length >= SECRET_MIN)
}

/** As part of a longer text, at each of the three alignments of base64. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from(' '.repeat(before) + secret)
    const whole = bytes.toString('base64').replace(/=+$/, '')
    // The first and last characters may contain bits of their neighbours.
    const inner = whole.slice(Math.ceil((before * 4) / 3), bytes.length % 3 === 0 ? undefined : -1)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
