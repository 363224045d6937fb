import { bareHost } from '../api/bare-host.ts'

/** A proxy between the gateway and a provider. */
export interface ProxyAddress {
  scheme: 'http' | 'https' | 'socks5'
  /** Without brackets, as a resolver expects it. */
  host: string
  port: number
}

export const PROXY_MAX = 300

/** As many bytes as SOCKS5 can carry. */
export const PROXY_LOGIN_MAX = 255

const SCHEMES = { http: 'http', https: 'https', socks5: 'socks5' } as const

/** `http://`, `https://` or `socks5://host:port` and nothing else: user and password have fields of their own. */
export function parseProxy(text: string): ProxyAddress | undefined {
  const [, name = '', authority = ''] = /^([a-z0-9]+):\/\/([^/?#@\\\s\p{Cc}]+:\d{1,5})\/?$/iu.exec(text.trim()) ?? []
  const scheme = Object.entries(SCHEMES).find(([one]) => one === name.toLowerCase())?.[1]
  // Parsed as an http address in any case, so that every spelling of an IP address is normalised.
  const url = URL.parse(`http://${authority}/`)
  if (scheme === undefined || url === null || url.hostname === '') return undefined
  const port = url.port === '' ? 80 : Number(url.port)
  return port === 0 ? undefined : { scheme, host: bareHost(url), port }
}

/** One canonical spelling per proxy; empty for none. */
export function proxyUrl(text: string) {
  const proxy = parseProxy(text)
  if (proxy === undefined) return text.trim()
  const { scheme, host, port } = proxy
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
