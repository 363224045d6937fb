import { sizeMark } from './media-by-size.ts'

/** A body in memory until it is written. */
export interface HeldBody {
  /** Computed lazily, not while the call runs. */
  read(): string
  /** The total size in bytes; undefined when the text is complete. */
  size: number | undefined
  /** False when its end is missing. */
  isWhole: boolean
}

export const NO_BODY: HeldBody = { read: () => '', size: undefined, isWhole: true }

/** The memory limit for a stream: an image in it is longer than what is kept of the text. */
const STREAM_MAX = 1024 * 1024

/** What the caller sent. The call holds the text too, so this is no second copy while it runs. */
export const heldText = (body: string | FormData): HeldBody & { taken: number } => {
  const text = typeof body === 'string' ? body : formText(body)
  return { read: () => text, size: undefined, isWhole: true, taken: text.length }
}

export const wholeBody = (bytes: Uint8Array, type: string): HeldBody =>
  isText(type)
    ? { read: () => textOf([bytes]), size: bytes.length, isWhole: true }
    : { read: () => sizeMark(type, bytes.length), size: bytes.length, isWhole: true }

/** An answer while it is streamed. */
export const heldStream = (type: string) => {
  const pieces: Uint8Array[] = []
  let size = 0
  let held = 0
  const wants = ({ length }: Uint8Array) => (isText(type) && held + length <= STREAM_MAX && held === size ? length : 0)
  return {
    /** The memory the chunk needs; 0 when it is only counted. */
    wants,
    add(bytes: Uint8Array) {
      if (wants(bytes) > 0) {
        // A copy: a chunk may be a view of a much larger or reused buffer.
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

/** A form as JSON: files by type and size. */
function formText(form: FormData) {
  const fields = Array.from(new Set(form.keys()), (name): [string, unknown] => {
    const values = form.getAll(name).map((value) => (typeof value === 'string' ? value : fileMark(value)))
    return [name, values.length === 1 ? values[0] : values]
  })
  return JSON.stringify(Object.fromEntries(fields))
}

const fileMark = ({ type, size }: Blob) => sizeMark(type || 'file', size)
