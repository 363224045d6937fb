import { constants, inflateSync } from 'node:zlib'

/* The number of pages of a document: vendors bill each as an image plus text, however few bytes it has. */

/** Of longer documents only the start and the end are scanned: a call must not wait for the rest. */
const SCANNED_BYTES = 2 * 1024 * 1024
/** Page lists are small; anything that decompresses to more is something else. */
const UNPACKED_MAX = 4 * 1024 * 1024
const STREAMS_MAX = 100

const LEAF = /\/Type\s*\/Page(?![A-Za-z])/g
const TREE = /\/Type\s*\/Pages(?![A-Za-z])/g
const COUNT = /\/Count\s+(\d{1,7})/
/** The maximum distance between a page tree and its count. */
const NEAR = 20_000
const LINEARIZED = /\/Linearized\s[^>]{0,300}?\/N\s+(\d{1,7})/

/** Undefined when the document does not say. `base64` is the document as received. */
export const pdfPages = (base64: string): number | undefined => {
  const letters = Math.ceil(SCANNED_BYTES / 3) * 4
  const isWhole = base64.length <= 2 * letters
  // Base64 can be decoded from any multiple of four characters.
  const pieces = isWhole
    ? [base64]
    : [base64.slice(0, letters), base64.slice(base64.length - (base64.length % 4) - letters)]
  let leaves = 0
  let counted = 0
  for (const text of pieces.flatMap(textsIn)) {
    leaves += text.match(LEAF)?.length ?? 0
    counted = Math.max(counted, Number(LINEARIZED.exec(text)?.[1] ?? 0), ...treesIn(text))
  }
  const pages = isWhole && leaves > 0 ? leaves : Math.max(leaves, counted)
  return pages === 0 ? undefined : pages
}

function treesIn(text: string): number[] {
  return [...text.matchAll(TREE)]
    .slice(0, STREAMS_MAX)
    .map(({ index }) => Number(COUNT.exec(text.slice(Math.max(0, index - NEAR), index + NEAR))?.[1] ?? 0))
}

/** Its plain text, and its decompressed object streams. */
function textsIn(base64: string): string[] {
  const bytes = Buffer.from(base64, 'base64')
  const text = bytes.toString('latin1')
  const packed = [...text.matchAll(/\/Type\s*\/ObjStm(?![A-Za-z])/g)].slice(0, STREAMS_MAX)
  return [text, ...packed.map(({ index }) => unpacked(bytes, text, index))]
}

function unpacked(bytes: Buffer, text: string, at: number): string {
  const from = /stream\r?\n/.exec(text.slice(at, at + 1000))
  if (from === null) return ''
  const start = at + from.index + from[0].length
  const end = text.indexOf('endstream', start)
  try {
    const options = { maxOutputLength: UNPACKED_MAX, finishFlush: constants.Z_SYNC_FLUSH }
    return inflateSync(bytes.subarray(start, end === -1 ? undefined : end), options).toString('latin1')
  } catch {
    // Encrypted, another compression, or larger than any page list.
    return ''
  }
}
