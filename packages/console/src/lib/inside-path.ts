/**
 * The path to return to after a login, if it lies inside the console. Anything else, such as `//other.site`, would make
 * the login page send people away.
 */
export const insidePath = (text: string | undefined) => {
  if (text === undefined || !/^\/[^/\\]/.test(`${text}#`)) return undefined
  return text.startsWith('/login') ? undefined : text
}
