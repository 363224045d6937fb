/* The same events as other servers and networks send them. Only how they arrive differs. */

type Change = (text: string) => string

/** Changes that the standard of server-sent events allows. */
const CHANGES: Record<string, Change> = {
  'lines that end as in HTTP': (text) => text.replaceAll('\n', '\r\n'),
  'lines that end as on old computers': (text) => text.replaceAll('\n', '\r'),
  'a byte order mark': (text) => `\ufeff${text}`,
  'comments before events and inside them': (text) =>
    `: hello\n\n${text.replaceAll('data:', ': still here\ndata:').replaceAll('\n\n', '\n\n:\n\n')}`,
  'ids, times to retry and names of next year': (text) =>
    `retry: 3000\n\n${text.replaceAll('data:', 'id: 7\nsoon: {}\ndata:')}`,
  'no blanks': (text) => text.replaceAll('data: ', 'data:').replaceAll('event: ', 'event:'),
  'many empty lines': (text) => `\n\n${text.replaceAll('\n\n', '\n\n\n\n')}`,
}

/** Pieces of one byte, and of lengths that divide characters, lines and events. */
const SIZES = [1, 7, 29]

export interface Framed {
  how: string
  answer(): Promise<Response>
}

/** Every way in which an answer may arrive. Amazon's frames and packed streams are only divided. */
export function framedOtherwise(answer: () => Response): Framed[] {
  const { headers } = answer()
  const isText = headers.get('content-type') === 'text/event-stream' && !headers.has('content-encoding')
  const changed = isText ? Object.entries(CHANGES).map(([how, change]) => ({ how, change, size: 1024 * 1024 })) : []
  const divided = SIZES.map((size) => ({ how: `pieces of ${size} bytes`, change: undefined, size }))
  const both = isText
    ? [{ how: 'HTTP’s line ends in pieces of 3 bytes', change: CHANGES['lines that end as in HTTP'], size: 3 }]
    : []
  return [...changed, ...divided, ...both].map(({ how, change, size }) => ({
    how,
    async answer() {
      const own = answer()
      const bytes = change === undefined ? await own.bytes() : new TextEncoder().encode(change(await own.text()))
      return new Response(inPieces(bytes, size), { status: own.status, headers: own.headers })
    },
  }))
}

function inPieces(bytes: Uint8Array, size: number) {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}
