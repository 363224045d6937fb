/*
 * URLs contain plain text: `?page=2&keyword=1e5`. The router's default parser would turn a verification code of digits into a number,
 * and lose some of them.
 */

export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

export const stringifySearch = (search: Record<string, unknown>) => {
  const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
