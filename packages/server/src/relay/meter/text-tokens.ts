/*
 * Estimates the tokens of a text by the classes of its characters. The maximum is based on the tokenizers of several vendors, with which the
 * tests compare it: those that are older split most scripts into bytes. The typical value is that of OpenAI's of 2024. No tokenizer
 * splits finer than UTF-8 bytes.
 */

/** An upper estimate, for holds. When `fast`, it samples an eighth of a long text. */
export const mostTokensOf = (text: string, fast = false) => tokensOf(text, MOST, fast)

/** The typical count, for answers without reported usage. */
export const likelyTokensOf = (text: string, fast = false) => tokensOf(text, LIKELY, fast)

/** ASCII classes, whose cost depends on the previous character: a change of class starts a new token. */
const BLANK = 0
const BREAK = 1
const LOWER = 2
const UPPER = 3
const DIGIT = 4
const SIGN = 5

/** Other characters by Unicode block: the last character, then maximum and typical tokens. UTF-8 bytes are the limit. */
const BLOCKS: readonly (readonly [last: number, most: number, likely: number])[] = [
  [0x024f, 1.25, 0.5], // Latin letters with marks
  [0x036f, 2, 1],
  [0x03ff, 1.3, 0.4], // Greek
  [0x040f, 1.5, 0.4],
  [0x042f, 1.2, 0.28], // Cyrillic, upper case
  [0x044f, 0.9, 0.28],
  [0x052f, 1.75, 0.5],
  [0x058f, 2, 0.35], // Armenian
  [0x05ff, 1.4, 0.45], // Hebrew
  [0x07ff, 1.15, 0.4], // Arabic
  [0x097f, 1.4, 0.35], // Devanagari
  [0x0dff, 3, 0.4], // The other scripts of India
  [0x0e7f, 2, 0.5], // Thai
  [0x0fff, 3, 1.75], // Lao, Tibetan
  [0x10ff, 2.2, 0.5], // Burmese, Georgian
  [0x177f, 3, 2.75], // Ethiopic, Cherokee
  [0x17ff, 3, 0.65], // Khmer
  [0x1dff, 3, 3], // Mongolian and others
  [0x1eff, 2, 0.75], // Vietnamese
  [0x27ff, 2.25, 1.5], // Signs of typography and mathematics
  [0x28ff, 3, 1.5], // Braille
  [0x2bff, 2.25, 1.5],
  [0x2e7f, 3, 2],
  [0x9fff, 1.75, 0.9], // Chinese, Japanese
  [0xabff, 3, 2],
  [0xd7ff, 1.75, 0.65], // Korean
  [0xdfff, 2, 1], // Halves of what lies beyond, such as emoji
  [0xf8ff, 3, 1], // Private use
  [0xffff, 2, 1],
]
const FIRST_BLOCK = SIGN + 1

const KINDS = kindsByCode()

/** In a function: a long loop at the top of a module compiles the whole bundle, which costs 8 MB for ever. */
function kindsByCode() {
  const kinds = new Uint8Array(0x10000)
  for (let code = 0; code < 0x80; code++) kinds[code] = asciiKind(String.fromCharCode(code))
  let first = 0x80
  for (const [index, [last]] of BLOCKS.entries()) {
    kinds.fill(FIRST_BLOCK + index, first, last + 1)
    first = last + 1
  }
  return kinds
}

function asciiKind(character: string) {
  if (character === ' ') return BLANK
  if (/[\t\n\r]/.test(character)) return BREAK
  // A control character is a token of its own, like a mark on a letter.
  if (character < ' ' || character === '\x7f') return FIRST_BLOCK
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  return /[0-9]/.test(character) ? DIGIT : SIGN
}

/** By the class of a character and of the previous one, in rows of 64; in units of 1/64 of a token. */
const ROW_BITS = 6
const UNIT = 64
type Costs = Uint8Array

/**
 * The rows are the previous class: blank, break, lower, upper, digit, sign, another script. Changing case and digits within a word
 * indicate base64 and identifiers. Some vendors have a token for each digit.
 */
const MOST = costs(
  [
    [0.06, 0.6, 0.5, 0.6, 1, 0.9],
    [0.15, 0.4, 0.8, 0.8, 1, 0.9],
    [0.06, 1, 0.42, 1, 1, 0.8],
    [0.1, 1, 0.8, 0.8, 1, 0.9],
    [0.25, 1, 1, 1, 1, 1],
    [0.3, 0.8, 0.55, 0.8, 1, 0.7],
    [1, 1, 1, 1, 1, 1],
  ],
  ([, most]) => most,
)
const LIKELY = costs(
  [
    [0.03, 0.2, 0.55, 0.65, 0.6, 0.7],
    [0.1, 0.2, 0.55, 0.65, 0.6, 0.7],
    [0.03, 0.35, 0.15, 0.85, 0.85, 0.5],
    [0.03, 0.35, 0.5, 0.45, 0.85, 0.6],
    [0.1, 0.5, 0.85, 0.85, 0.35, 0.95],
    [0.15, 0.3, 0.4, 0.6, 0.7, 0.35],
    [0.1, 0.5, 0.4, 0.6, 0.7, 0.7],
  ],
  ([, , likely]) => likely,
)

function costs(ascii: readonly (readonly number[])[], ofBlock: (block: (typeof BLOCKS)[number]) => number): Costs {
  const table = new Uint8Array((FIRST_BLOCK + BLOCKS.length) << ROW_BITS)
  for (let before = 0; before < FIRST_BLOCK + BLOCKS.length; before++) {
    const row = [...(ascii[Math.min(before, FIRST_BLOCK)] ?? []), ...BLOCKS.map(ofBlock)]
    for (const [kind, cost] of row.entries()) table[(before << ROW_BITS) | kind] = Math.round(cost * UNIT)
  }
  return table
}

/** Longer texts are sampled in this many windows. */
const WHOLE_MAX = 4096
const WINDOWS = 64
const WINDOW = 64
const GOLDEN = 0.618
const FAST_WHOLE_MAX = 512
/** A margin for what lies between the windows. */
const SAMPLE_MARGIN = 1.15

function tokensOf(text: string, table: Costs, fast: boolean) {
  if (text.length <= (fast ? FAST_WHOLE_MAX : WHOLE_MAX)) return Math.ceil(unitsIn(text, 0, text.length, table) / UNIT)
  const windows = fast ? Math.min(WINDOWS, Math.ceil(text.length / FAST_WHOLE_MAX)) : WINDOWS
  const stride = text.length / windows
  let units = 0
  let bytes = 0
  for (let window = 0; window < windows; window++) {
    // A text cannot be written around the sampled windows of a hold; for a charge they are the same each time.
    const shift = table === MOST ? Math.random() : (window * GOLDEN) % 1
    const from = Math.floor(window * stride + shift * (stride - WINDOW))
    units += unitsIn(text, from, from + WINDOW, table)
    bytes += Buffer.byteLength(text.slice(from, from + WINDOW))
  }
  // The byte length of the whole is known quickly, and corrects for scripts that the windows missed.
  const all = Buffer.byteLength(text)
  return Math.min(all, Math.ceil((units / UNIT) * (all / bytes) * (table === MOST ? SAMPLE_MARGIN : 1)))
}

function unitsIn(text: string, from: number, to: number, table: Costs) {
  let units = 0
  let before = BLANK
  for (let at = from; at < to; at++) {
    // Both tables have an entry for every possible character.
    const kind = KINDS[text.charCodeAt(at)] as number
    units += table[(before << ROW_BITS) | kind] as number
    before = kind
  }
  return units
}
