import { CONSOLE_HEADER } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'

interface Own {
  /** Where the request arrived, as its Host header says. */
  origin: string
  /** Other origins whose pages are the console, because the operator says so. */
  consoleOrigins: readonly string[]
}

/**
 * Refuses what a page of another origin made the browser send. Browsers say where a request comes from in
 * `Sec-Fetch-Site` and `Origin`; with anything but a GET at least the latter is always there.
 */
export const refuseCrossSite = (headers: Headers, own: Own) => {
  const from = headers.get('origin')
  if (from !== null && own.consoleOrigins.includes(from)) return
  if (from !== null && hostOf(from) !== hostOf(own.origin)) throw new GatewayError('session.foreign_page')
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') throw new GatewayError('session.foreign_page')
  if (headers.get('sec-purpose')?.includes('prefetch')) throw new GatewayError('session.foreign_page')
}

/**
 * For a GET that changes something, silence is no proof: on plain http a page of a neighbouring subdomain or port sends
 * the cookie (it is the same site) with neither `Sec-Fetch-Site` nor `Origin`, and can leave out the `Referer`. So the
 * request must show that a script of our own page made it, by what no other page and no element of a page can send.
 */
export const requireConsoleProof = (headers: Headers, own: Own) => {
  refuseCrossSite(headers, own)
  if (isProgram(headers)) return
  // Another origin would have to be allowed this header in a preflight, and an element cannot send it at all.
  if (headers.get(CONSOLE_HEADER) === '1') return
  if (!isFromScript(headers) || !isFromOwnOrigin(headers, own)) throw new GatewayError('session.unproven_page')
}

/**
 * A program sends its cookie because somebody wrote so, not because a page made it. Every browser calls itself Mozilla, which no
 * page can change without a preflight, and a request for a picture or from another page is a browser's whatever it says.
 */
function isProgram(headers: Headers) {
  const isBrowser = headers.get('user-agent')?.includes('Mozilla/') ?? false
  return !isBrowser && !headers.has('referer') && !headers.has('sec-fetch-site') && !isForElement(headers)
}

const isForElement = (headers: Headers) => /^(image|text|audio|video)\//.test(headers.get('accept') ?? '')

/** Pictures, videos, frames and links of what an operator wrote are on our own origin too, but choose no `Accept`. */
function isFromScript(headers: Headers) {
  const destination = headers.get('sec-fetch-dest')
  if (destination !== null) return destination === 'empty'
  return headers.get('accept')?.includes('application/json') ?? false
}

function isFromOwnOrigin(headers: Headers, { origin, consoleOrigins }: Own) {
  if (headers.get('sec-fetch-site') === 'same-origin') return true
  // A page can leave these out, but not write another page's into them.
  const from = headers.get('origin') ?? headers.get('referer')
  return from !== null && (consoleOrigins.includes(from) || hostOf(from) === hostOf(origin))
}

/** Compared without the scheme: a proxy may have ended TLS, so that we see http where the browser sees https. */
function hostOf(url: string) {
  return URL.canParse(url) ? new URL(url).host : url
}
