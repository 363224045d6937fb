import type { Operation } from './operation.ts'

/**
 * Without server-sent events Google streams one JSON array, element by element; an error has the same shape, even as the only
 * element.
 */
export const wantsJsonArray = (operation: Operation, url: string) => {
  if (operation.name !== 'streamGenerateContent') return false
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  return (query.get('alt') ?? query.get('$alt')) !== 'sse'
}

/** The payloads of server-sent events as the elements of one array, each as soon as it arrives. */
export const asJsonArray = (events: AsyncIterableIterator<Uint8Array>): AsyncIterableIterator<Uint8Array> => {
  const write = arrayWriter()
  let over = false
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,

    async next() {
      while (!over) {
        const { done, value } = await events.next()
        over = done === true
        const text = done ? write.end() : write.push(value)
        if (text !== '') return { done: false, value: encoder.encode(text) }
      }
      return { done: true, value: undefined }
    },

    async return() {
      over = true
      await events.return?.()
      return { done: true, value: undefined }
    },
  }
  return body
}

const encoder = new TextEncoder()

const FIELD = 'data:'

/** Works on lines instead of events: an image inside one may be longer than any network chunk. */
function arrayWriter() {
  const decoder = new TextDecoder()
  /** The start of a line, until its field name is known. */
  let start = ''
  let isData: boolean | undefined
  let inElement = false
  let elements = 0

  const begin = () => {
    if (inElement) return ''
    inElement = true
    elements += 1
    return elements === 1 ? '[' : '\n,\r\n'
  }

  const inLine = (text: string): string => {
    if (isData !== undefined) return isData ? text : ''
    start += text
    if (start.length < FIELD.length && FIELD.startsWith(start)) return ''
    isData = start.startsWith(FIELD)
    const payload = start.slice(FIELD.length)
    return isData ? begin() + (payload.startsWith(' ') ? payload.slice(1) : payload) : ''
  }

  const endLine = () => {
    if (start === '') inElement = false
    start = ''
    isData = undefined
  }

  return {
    push(chunk: Uint8Array) {
      const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split(/\r\n|\n|\r/)
      let text = inLine(first)
      for (const line of rest) {
        endLine()
        text += inLine(line)
      }
      return text
    },
    end: () => (elements === 0 ? '[]' : '\n]'),
  }
}
