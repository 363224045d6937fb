import { GatewayError } from '../common/errors.ts'

/** Letters of other alphabets, and forms of Latin ones, that look like a Latin letter in the fonts that people use. */
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

/** Nothing to see, or a change of the direction in which the rest is shown. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u2800]/gu

/** Accents: small enough to be overlooked. Marks of scripts in which they are vowels are not among them. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

/**
 * What a reader sees of a username: the same for `root`, `ROOT`, `ｒｏｏｔ` and a root of Cyrillic letters. Two accounts do not
 * get the same one. Latin letters and digits stay apart from each other (`l` and `1`, `O` and `0`), because names that
 * programs make up differ by them.
 */
export const nameKey = (username: string) => {
  const bare = username.normalize('NFKD').replace(INVISIBLE, '').replace(ACCENTS, '')
  // By the shape of each letter first: a capital Η is an H, a small η an n.
  const lower = inLatin(bare).toLowerCase()
  return inLatin(lower.normalize('NFKD').replace(ACCENTS, '')).replace(/\s+/g, ' ').trim()
}

/** A name as both columns of the row have it. */
export const named = (username: string) => ({ username, name_key: nameKey(username) })

export const refuseInvisible = (username: string) => {
  // `search` goes from the start each time, where `test` would go on from the last find.
  if (username.search(INVISIBLE) !== -1) throw new GatewayError('user.name_invisible')
}

function inLatin(text: string) {
  return [...text].map((letter) => LATIN.get(letter) ?? letter).join('')
}
