import { onTestFinished } from 'bun:test'

/*
 * The vendor's end of the wire: answers in its own dialect, whole or streamed, and refuses requests that break its rules, as the vendor
 * would. None of the gateway's own translation is used here.
 */

export interface Thinking {
  text: string
  signature: string
}

export interface VendorAnswer {
  /** Distinguishes it from other answers, where that matters. */
  id?: string
  thinking?: Thinking
  text?: string
  calls?: readonly { id: string; name: string; args: Record<string, unknown> }[]
  /** `input` includes cached tokens, `output` reasoning. */
  usage: { input: number; cached: number; output: number; thought: number }
}

export type Fields = Record<string, unknown>

export interface StrictVendor {
  name: string
  /** The channel that points here. */
  type: number
  model: string
  config?: Record<string, string>
  /** The vendor's complaint, if any. `signed` is its earlier reasoning, which must come back unchanged. */
  complaint(body: Fields, signed: Thinking | undefined): string | undefined
  isStream(path: string, body: Fields, headers: Headers): boolean
  /** It makes at most one call per answer; absent means that it can make several. */
  calls?: 'none' | 'one'
  /** Its answers besides chats: tokens for keys, results of tasks. */
  beside?(path: string, latest: VendorAnswer | undefined): Response | undefined
  /** The dialect of this path, if the vendor has a second one. */
  dialectAt?(path: string): Pick<StrictVendor, 'complaint' | 'isStream' | 'whole' | 'stream'> | undefined
  whole(answer: VendorAnswer): object
  stream(answer: VendorAnswer): { type: string; bytes: Uint8Array }
}

/** A vendor that gives these answers, one after the other. It ends with the test. */
export const strictVendor = (vendor: StrictVendor, answers: readonly VendorAnswer[]) => {
  const signed = answers.find(({ thinking }) => thinking !== undefined)?.thinking
  const journal: { path: string; headers: Headers; body: Fields }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const path = new URL(request.url).pathname
      const other = vendor.beside?.(path, answers[(journal.length - 1) % answers.length])
      if (other !== undefined) return other
      const body: Fields = await request.json()
      const answer = answers[journal.length % answers.length]
      journal.push({ path, headers: request.headers, body })
      const own = vendor.dialectAt?.(path) ?? vendor
      const complaint = own.complaint(body, signed)
      if (complaint !== undefined || answer === undefined) {
        const error = { message: complaint, type: 'invalid_request_error' }
        // Amazon's has no object around it.
        return Response.json({ error, message: complaint }, { status: 400 })
      }
      if (!own.isStream(path, body, request.headers)) return Response.json(own.whole(answer))
      const { type, bytes } = own.stream(answer)
      return new Response(inPieces(bytes), { headers: { 'content-type': type } })
    },
  })
  onTestFinished(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, journal }
}

/** A network splits anywhere: in the middle of names, of characters, of blank lines. */
function inPieces(bytes: Uint8Array, size = 11) {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}

export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The first complaint that applies. */
export const firstOf = (...complaints: (string | false | undefined)[]) =>
  complaints.find((complaint): complaint is string => typeof complaint === 'string')

/** Text as a model streams it. */
export const trickle = (text: string) => text.match(/[\s\S]{1,5}/gu) ?? []

export const sseOf = (events: readonly (object | string)[], named = false) => ({
  type: 'text/event-stream',
  bytes: new TextEncoder().encode(
    events
      .map((event) => {
        const data = typeof event === 'string' ? event : JSON.stringify(event)
        return named ? `event: ${String(fields(event).type)}\ndata: ${data}\n\n` : `data: ${data}\n\n`
      })
      .join(''),
  ),
})

/** User and model alternate, the user first. */
export const turnsComplaint = (roles: readonly unknown[], [first, second]: readonly [string, string]) =>
  roles.length === 0 || roles.some((role, index) => role !== (index % 2 === 0 ? first : second))
    ? `turns must alternate and begin with ${first}: ${roles.join(', ')}`
    : undefined
