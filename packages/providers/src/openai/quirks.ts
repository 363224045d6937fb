import { allRead } from '../all-read.ts'
import { type Fields, isFields, jsonOrUndefined, listOf } from '../json.ts'

/**
 * What a vendor of OpenAI's dialect refuses in a chat though the dialect allows it. One description for both lanes: it is
 * put right in what callers wrote in the dialect as in what was translated into it.
 */
export interface Quirks {
  /** False where asking for usage in a stream is an error; such vendors send it unasked. */
  streamOptions?: boolean
  /** Parameters that the vendor answers with an error, and that are only wishes. */
  without?: readonly ('top_k' | 'user')[]
  messages?: MessageQuirk
}

export interface MessageQuirk {
  /** Finds the members that are concerned in the text of a body: one without any is not even parsed. */
  concerns: RegExp
  rewrite(message: Fields): Fields
}

/** A translated body as the vendor takes it. */
export function withQuirks(body: Fields, { streamOptions = true, without = [], messages, ...rest }: Quirks): Fields {
  allRead(rest)
  const refused = new Set<string>(streamOptions ? without : [...without, 'stream_options'])
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !refused.has(name)))
  return messages === undefined ? kept : rewritten(kept, messages)
}

/** The same for a body that the caller wrote, which otherwise passes byte for byte. */
export function nativeQuirks({ streamOptions = true, without = [], messages, ...rest }: Quirks) {
  allRead(rest)
  return {
    ...(streamOptions ? {} : { streamOptions: () => false }),
    ...(without.length === 0 ? {} : { without: (operation: string) => (operation === CHATS ? without : []) }),
    ...(messages === undefined
      ? {}
      : { amend: (operation: string, body: string) => (operation === CHATS ? amended(body, messages) : body) }),
  }
}

const CHATS = 'chat/completions'

function amended(body: string, quirk: MessageQuirk) {
  if (!quirk.concerns.test(body)) return body
  const request = jsonOrUndefined(body)
  return isFields(request) ? JSON.stringify(rewritten(request, quirk)) : body
}

const rewritten = (body: Fields, { rewrite }: MessageQuirk): Fields => ({
  ...body,
  messages: listOf(body.messages).map((message) => (isFields(message) ? rewrite(message) : message)),
})
