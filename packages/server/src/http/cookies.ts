/** Reading and writing of the two cookies the product uses. Both are HttpOnly and never leave for other sites. */
export const readCookie = (headers: Headers, name: string, secure: boolean) => {
  for (const pair of headers.get('cookie')?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === fullName(name, secure) && value) return value
  }
  return undefined
}

interface CookieOptions {
  maxAgeSec: number
  secure: boolean
  /** The console was built for another origin, whose pages must be able to send the cookie. */
  crossSite: boolean
}

export const cookieHeader = (name: string, value: string, { maxAgeSec, secure, crossSite }: CookieOptions) => {
  const full = fullName(name, secure)
  // Browsers take `None` on https only; what other origins may send is then decided by their Origin header.
  const sameSite = crossSite && secure ? 'None' : 'Strict'
  return `${full}=${value}; Path=/; Max-Age=${maxAgeSec}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
}

/** On https the `__Host-` prefix keeps a neighbouring subdomain from planting a cookie of its own. */
function fullName(name: string, secure: boolean) {
  return secure ? `__Host-${name}` : name
}
