/*
 * Works on the text and not on what it means, so that it serves every dialect, a stream of events, and a body that is no
 * JSON at all. Base64 may be broken into lines, and its slashes escaped, as some libraries write them.
 */

const base64 = (atLeast: number, character = '[A-Za-z0-9+/_-]') =>
  `${character}{${atLeast},}(?:\\\\/${character}*|(?:\\\\[nr])+${character}{20,})*={0,2}`

/** So long no word is, and no name: what has no space in so many characters is data, whatever its member is called. */
const NO_TEXT = 200

const DATA_URL = new RegExp(`data:([\\w.+-]+\\\\?/[\\w.+-]+)?(?:;[\\w.=+-]+)*;base64,(${base64(1)})`, 'g')
/** Several may have been put together, each with an end of its own. */
const JOINED = base64(24, '[A-Za-z0-9+/_=-]')
const MEMBER = new RegExp(`("(?:data|b64_json|partial_image_b64|file_data)"\\s*:\\s*")(${JOINED})(?=")`, 'g')
const SOUND = new RegExp(
  `("type"\\s*:\\s*"[\\w.]*audio\\.delta"[^\\n]*?"(?:delta|audio)"\\s*:\\s*")(${base64(1)})(?=")`,
  'g',
)
const LINES = /(?:[A-Za-z0-9+/]{60,80}(?:\\r)?\\n){3,}[A-Za-z0-9+/]*={0,2}/g
const DATA = new RegExp(base64(NO_TEXT), 'g')

/** Pictures, sound and other data in a text become their kind and size. */
export const mediaBySize = (text: string) =>
  text
    .replace(DATA_URL, (_, type: string | undefined, data: string) => mark(type?.replace('\\', ''), data))
    .replace(MEMBER, (_, member: string, data: string) => member + mark(undefined, data))
    .replace(SOUND, (_, member: string, data: string) => member + mark('audio', data))
    .replace(LINES, (data) => mark(undefined, data))
    .replace(DATA, (data) => mark(undefined, data))

/** How a body that is no text is kept. */
export const sizeMark = (type: string, bytes: number) => `[${type}: ${bytes} bytes]`

function mark(type: string | undefined, data: string) {
  const plain = data.includes('\\') ? data.replace(/\\[nr]|\\/g, '') : data
  const digits = plain.replace(/={1,2}$/, '').length
  return sizeMark(type ?? 'base64', Math.floor((digits * 3) / 4))
}
