/** The two cookies of the product. Both are HttpOnly and never sent to other sites. */
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
  /** The console is served from another origin, whose pages must be able to send the cookie. */
  crossSite: boolean
}

export const cookieHeader = (name: string, value: string, { maxAgeSec, secure, crossSite }: CookieOptions) => {
  const full = fullName(name, secure)
  // Browsers accept `None` on https only; which origins may send it is then decided by the Origin header.
  const sameSite = crossSite && secure ? 'None' : 'Strict'
  return `${full}=${value}; Path=/; Max-Age=${maxAgeSec}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
}

/** On https the `__Host-` prefix keeps a sibling subdomain from setting the cookie. */
function fullName(name: string, secure: boolean) {
  return secure ? `__Host-${name}` : name
}
