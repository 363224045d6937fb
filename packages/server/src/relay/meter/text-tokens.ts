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
/** Lower-case letters that words have few of: many of them indicate random names. */
const RARE = 6

/** Other characters by Unicode block: the last character, then maximum and typical tokens. UTF-8 bytes are the limit. */
const BLOCKS: readonly (readonly [last: number, most: number, likely: number])[] = [
  [0x00ff, 1.25, 0.5], // Latin letters with marks
  [0x017f, 1.6, 0.5],
  [0x024f, 2, 0.5],
  [0x02ff, 2, 1],
  [0x036f, 2, 1.9], // Marks that are put on the letter before
  [0x0390, 1.3, 0.4], // Greek
  [0x03ab, 1.9, 0.9], // Greek, upper case
  [0x03ff, 1.3, 0.4],
  [0x040f, 1.5, 0.4],
  [0x042f, 1.2, 0.28], // Cyrillic, upper case
  [0x044f, 0.9, 0.28],
  [0x052f, 2, 0.5],
  [0x058f, 2, 0.35], // Armenian
  [0x05c7, 2, 1.1], // Hebrew vowels
  [0x05ff, 1.4, 0.45], // Hebrew
  [0x064a, 1.15, 0.4], // Arabic
  [0x066f, 2, 0.7], // Arabic vowels and digits
  [0x06ef, 1.6, 0.4], // Persian, Urdu
  [0x07ff, 2, 1.9], // Syriac, Thaana, N'Ko
  [0x0965, 1.4, 0.35], // Devanagari
  [0x096f, 3, 0.35], // Its digits
  [0x097f, 1.4, 0.35],
  [0x0dff, 3, 0.4], // The other scripts of India
  [0x0e7f, 2, 0.5], // Thai
  [0x0fff, 3, 1.75], // Lao, Tibetan
  [0x109f, 2.2, 0.5], // Burmese
  [0x10cf, 3, 0.5],
  [0x10ff, 2.2, 0.5], // Georgian
  [0x177f, 3, 2.75], // Ethiopic, Cherokee
  [0x17ff, 3, 0.65], // Khmer
  [0x1dff, 3, 3], // Mongolian and others
  [0x1eff, 2, 0.75], // Vietnamese
  [0x1fff, 3, 1.5], // Ancient Greek
  [0x218f, 2.25, 1.5], // Signs of typography
  [0x24ff, 3, 1.5], // Arrows, mathematics
  [0x257f, 2.25, 0.8], // Lines of tables
  [0x2bff, 3, 1.5],
  [0x2e7f, 3, 2],
  [0x2fff, 3, 0.9], // Parts of Chinese characters
  [0x30ff, 1.75, 0.9], // Japanese
  [0x4dff, 3, 0.9], // Letters of Korean and Chinese alphabets, rare characters
  [0x9fff, 1.75, 0.9], // Chinese
  [0xabff, 3, 2],
  [0xd7ff, 1.75, 0.65], // Korean
  [0xdfff, 2, 1], // Halves of what lies beyond, such as emoji
  [0xfdff, 3, 1], // Private use, ligatures
  [0xfe6f, 2, 1],
  [0xfeff, 3, 1],
  [0xffff, 2, 1],
]
const FIRST_BLOCK = RARE + 1
/** Only a row: the first letter of a word, which may be the last one. */
const INITIAL = FIRST_BLOCK + BLOCKS.length

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
  if (/[bjkqvwxz]/.test(character)) return RARE
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  return /[0-9]/.test(character) ? DIGIT : SIGN
}

/**
 * By the class of a character and of the previous one, in rows of 64: the cost in units of 1/64 of a token, and above it the row of the
 * next character.
 */
const ROW_BITS = 6
const UNIT = 64
const COST_BITS = 8
const COST = (1 << COST_BITS) - 1
type Costs = Uint32Array

/**
 * The rows are the previous class: blank, break, lower, upper, digit, sign, rare, another script, and the first letter of a word. Changing case and
 * digits within a word indicate base64 and identifiers. Some vendors have a token for each digit, and one for the blank before a number.
 */
const MOST = costs(
  [
    [0.06, 0.6, 0.5, 0.6, 1.75, 0.9, 0.6],
    [0.15, 1, 0.8, 0.8, 1, 0.9, 0.8],
    [0.06, 1, 0.42, 1, 1, 0.8, 0.9],
    [0.1, 1, 0.8, 0.8, 1, 0.9, 1],
    [0.25, 1, 1, 1, 1, 1, 1],
    [0.3, 0.8, 0.55, 0.8, 1, 0.7, 0.8],
    [0.06, 1, 0.5, 1, 1, 0.8, 1],
    [1, 1, 1, 1, 1, 1, 1],
    [0.75, 1, 0.42, 1, 1, 0.8, 0.9],
  ],
  ([, most]) => most,
)
const LIKELY = costs(
  [
    [0.03, 0.2, 0.55, 0.65, 1.1, 0.7, 0.55],
    [0.1, 0.2, 0.55, 0.65, 0.6, 0.7, 0.55],
    [0.03, 0.35, 0.15, 0.85, 0.85, 0.5, 0.15],
    [0.03, 0.35, 0.5, 0.45, 0.85, 0.6, 0.5],
    [0.1, 0.5, 0.85, 0.85, 0.35, 0.95, 0.85],
    [0.15, 0.3, 0.4, 0.6, 0.7, 0.35, 0.4],
    [0.03, 0.35, 0.15, 0.85, 0.85, 0.5, 0.6],
    [0.1, 0.5, 0.4, 0.6, 0.7, 0.7, 0.4],
    [0.4, 0.35, 0.15, 0.85, 0.85, 0.5, 0.15],
  ],
  ([, , likely]) => likely,
)

function costs(ascii: readonly (readonly number[])[], ofBlock: (block: (typeof BLOCKS)[number]) => number): Costs {
  const table = new Uint32Array((INITIAL + 1) << ROW_BITS)
  for (let before = 0; before <= INITIAL; before++) {
    const known = before === INITIAL ? FIRST_BLOCK + 1 : Math.min(before, FIRST_BLOCK)
    const row = [...(ascii[known] ?? []), ...BLOCKS.map(ofBlock)]
    for (const [kind, cost] of row.entries()) {
      const next = kind === LOWER && before === BLANK ? INITIAL : kind
      table[(before << ROW_BITS) | kind] = Math.round(cost * UNIT) | (next << (ROW_BITS + COST_BITS))
    }
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
  if (text.length <= (fast ? FAST_WHOLE_MAX : WHOLE_MAX)) {
    const tokens = Math.ceil(unitsIn(text, 0, text.length, table) / UNIT)
    return Math.min(Buffer.byteLength(text), tokens)
  }
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
  let row = BLANK << ROW_BITS
  for (let at = from; at < to; at++) {
    // The tables have an entry for every possible character.
    const entry = table[row | (KINDS[text.charCodeAt(at)] as number)] as number
    units += entry & COST
    row = entry >>> COST_BITS
  }
  return units
}
