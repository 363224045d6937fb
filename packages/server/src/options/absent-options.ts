/**
 * Settings of the ancestor that this product has no use for yet. Its consoles read them without looking whether they
 * are there, and send them back from their forms: they are answered, and accepted as long as they say nothing.
 */
export const ABSENT_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['OidcEnabled', 'false'],
  ['OidcClientId', ''],
  ['OidcWellKnown', ''],
  ['OidcAuthorizationEndpoint', ''],
  ['OidcTokenEndpoint', ''],
  ['OidcUserinfoEndpoint', ''],
])

/** Never answered, like every secret. */
const ABSENT_SECRET = 'OidcClientSecret'

export const isAbsentOption = (key: string) => ABSENT_OPTIONS.has(key) || key === ABSENT_SECRET

export const saysNothing = (key: string, value: string) => value === (ABSENT_OPTIONS.get(key) ?? '')
