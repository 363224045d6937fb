import { sizeMark } from './media-by-size.ts'

/** What is held of a body until it is written. */
export interface HeldBody {
  /** Made when it is asked for: not while the call runs. */
  read(): string
  /** How long all of it was, in bytes; undefined where that is what is read. */
  size: number | undefined
  /** False where its end is missing. */
  isWhole: boolean
}

export const NO_BODY: HeldBody = { read: () => '', size: undefined, isWhole: true }

/** Of a stream so much is held: a picture in it is longer than what is kept of the text. */
const STREAM_MAX = 1024 * 1024

/** What the caller sent. The call itself holds the text as well, so that this is no second copy of it while it runs. */
export const heldText = (body: string | FormData): HeldBody & { taken: number } => {
  const text = typeof body === 'string' ? body : formText(body)
  return { read: () => text, size: undefined, isWhole: true, taken: text.length }
}

export const wholeBody = (bytes: Uint8Array, type: string): HeldBody =>
  isText(type)
    ? { read: () => textOf([bytes]), size: bytes.length, isWhole: true }
    : { read: () => sizeMark(type, bytes.length), size: bytes.length, isWhole: true }

/** An answer as it passes. */
export const heldStream = (type: string) => {
  const pieces: Uint8Array[] = []
  let size = 0
  let held = 0
  const wants = ({ length }: Uint8Array) => (isText(type) && held + length <= STREAM_MAX && held === size ? length : 0)
  return {
    /** How much memory the piece takes; 0 where it is only counted. */
    wants,
    add(bytes: Uint8Array) {
      if (wants(bytes) > 0) {
        // A copy: a piece may be a view of a buffer that is many times as long, or used again.
        pieces.push(bytes.slice())
        held += bytes.length
      }
      size += bytes.length
    },
    body: (): HeldBody =>
      isText(type)
        ? { read: () => textOf(pieces), size, isWhole: held === size }
        : { read: () => sizeMark(type, size), size, isWhole: true },
  }
}

const isText = (type: string) => /^text\/|json|xml/.test(type)

const textOf = (pieces: readonly Uint8Array[]) => new TextDecoder().decode(Buffer.concat(pieces))

/** A form as JSON: of files their kind and size. */
function formText(form: FormData) {
  const fields: Record<string, unknown> = {}
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name).map((value) => (typeof value === 'string' ? value : fileMark(value)))
    fields[name] = values.length === 1 ? values[0] : values
  }
  return JSON.stringify(fields)
}

const fileMark = ({ type, size }: Blob) => sizeMark(type || 'file', size)
