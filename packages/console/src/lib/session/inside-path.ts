/**
 * The path to return to after a login, if it is inside the console. Anything else, such as `//other.site`, would be an open redirect.
 */
export const insidePath = (text: string | undefined) => {
  if (text === undefined || !/^\/[^/\\]/.test(`${text}#`)) return undefined
  return text.startsWith('/login') ? undefined : text
}
