/*
 * Works on text without parsing it, so that it serves every dialect, event streams and bodies that are not JSON. Base64 may be
 * broken into lines, and its slashes escaped, as some libraries do.
 */

const base64 = (atLeast: number, character = '[A-Za-z0-9+/_-]') =>
  `${character}{${atLeast},}(?:\\\\/${character}*|(?:\\\\[nr])+${character}{20,})*={0,2}`

/** No word or name is this long: text without a space in so many characters is data, whatever its member is called. */
const NO_TEXT = 200

const DATA_URL = new RegExp(`data:([\\w.+-]+\\\\?/[\\w.+-]+)?(?:;[\\w.=+-]+)*;base64,(${base64(1)})`, 'g')
/** Several values may have been concatenated, each with its own padding. */
const JOINED = base64(24, '[A-Za-z0-9+/_=-]')
const MEMBER = new RegExp(`("(?:data|b64_json|partial_image_b64|file_data)"\\s*:\\s*")(${JOINED})(?=")`, 'g')
const AUDIO = new RegExp(
  `("type"\\s*:\\s*"[\\w.]*audio\\.delta"[^\\n]{0,1000}?"(?:delta|audio)"\\s*:\\s*")(${base64(1)})(?=")`,
  'g',
)
const LINES = /(?:[A-Za-z0-9+/]{60,80}(?:\\r)?\\n){3,}[A-Za-z0-9+/]*={0,2}/g
const DATA = new RegExp(base64(NO_TEXT), 'g')

/** Replaces images, audio and other data in a text by their type and size. */
export const mediaBySize = (text: string) =>
  text
    .replace(DATA_URL, (_, type: string | undefined, data: string) => mark(type?.replace('\\', ''), data))
    .replace(MEMBER, (_, member: string, data: string) => member + mark(undefined, data))
    .replace(AUDIO, (_, member: string, data: string) => member + mark('audio', data))
    .replace(LINES, (data) => mark(undefined, data))
    .replace(DATA, (data) => mark(undefined, data))

/** How a body that is not text is recorded. */
export const sizeMark = (type: string, bytes: number) => `[${type}: ${bytes} bytes]`

function mark(type: string | undefined, data: string) {
  const plain = data.includes('\\') ? data.replace(/\\[nr]|\\/g, '') : data
  const digits = plain.replace(/={1,2}$/, '').length
  return sizeMark(type ?? 'base64', Math.floor((digits * 3) / 4))
}
