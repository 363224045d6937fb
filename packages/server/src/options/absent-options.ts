/**
 * Options of one-api that this product does not have. Its consoles read them unconditionally and send them back from their forms:
 * they are returned, and accepted as long as they have their default value.
 */
export const ABSENT_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['OidcEnabled', 'false'],
  ['OidcClientId', ''],
  ['OidcWellKnown', ''],
  ['OidcAuthorizationEndpoint', ''],
  ['OidcTokenEndpoint', ''],
  ['OidcUserinfoEndpoint', ''],
])

/** Never returned, like every secret. */
const ABSENT_SECRET = 'OidcClientSecret'

export const isAbsentOption = (key: string) => ABSENT_OPTIONS.has(key) || key === ABSENT_SECRET

export const isAbsentDefault = (key: string, value: string) => value === (ABSENT_OPTIONS.get(key) ?? '')
