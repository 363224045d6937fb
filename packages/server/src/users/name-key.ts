import { GatewayError } from '../common/errors.ts'

/** Letters of other alphabets, and variants of Latin ones, that look like a Latin letter in common fonts. */
const LOOK_ALIKES: Record<string, string> = {
  a: 'аАαΑɑᴀ',
  b: 'вВьЬЪъΒβɓʙƀ',
  c: 'сСϲϹᴄ',
  d: 'ԁđɗᴅ',
  e: 'еЕєЄεΕҽᴇɛ',
  f: 'ϝƒꜰ',
  g: 'ɡԍɢ',
  h: 'һҺнНΗԧħʜ',
  i: 'іІӀӏιΙıɩɪ',
  j: 'јЈϳȷᴊ',
  k: 'кКκΚҡќᴋ',
  l: 'łʟǀⅼ',
  m: 'мМΜϺᴍ',
  n: 'пΝηոɴ',
  o: 'оОοΟσøᴏө',
  p: 'рРρΡᴘϼ',
  q: 'ԛԚ',
  r: 'гГґʀᴦ',
  s: 'ѕЅꜱƨ',
  t: 'тТτΤŧᴛ',
  u: 'υμսᴜʋ',
  v: 'νѵѴᴠ',
  w: 'ԝԜωѡѿᴡɯ',
  x: 'хХχΧ',
  y: 'уУΥγүҮʏ',
  z: 'ΖζᴢƶȤ',
  3: 'зЗӡ',
}

const LATIN = new Map(Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => [...others].map((one) => [one, latin])))

/** Invisible characters and changes of text direction. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u2800]/gu

/** Accents are easily overlooked. Marks that are vowels in their script are not included. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

/**
 * The visual form of a username: the same for `root`, `ROOT`, `ｒｏｏｔ` and root in Cyrillic letters. No two accounts may share it. Latin
 * letters and digits stay distinct (`l` and `1`, `O` and `0`), because generated names differ by them.
 */
export const nameKey = (username: string) => {
  const bare = username.normalize('NFKD').replace(INVISIBLE, '').replace(ACCENTS, '')
  // By the shape of each letter first: a capital Η is an H, a small η an n.
  const lower = inLatin(bare).toLowerCase()
  return inLatin(lower.normalize('NFKD').replace(ACCENTS, '')).replace(/\s+/g, ' ').trim()
}

/** A name as stored in both columns. */
export const named = (username: string) => ({ username, name_key: nameKey(username) })

export const refuseInvisible = (username: string) => {
  // `search` always starts at the beginning, whereas `test` would continue from the last match.
  if (username.search(INVISIBLE) !== -1) throw new GatewayError('user.name_invisible')
}

function inLatin(text: string) {
  return [...text].map((letter) => LATIN.get(letter) ?? letter).join('')
}
