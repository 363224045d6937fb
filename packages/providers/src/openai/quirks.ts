import { allRead } from '../all-read.ts'
import { type Fields, isFields, jsonOrUndefined, listOf } from '../json.ts'

/**
 * What a vendor of OpenAI's dialect refuses although the dialect allows it. One description for both lanes: it is fixed in
 * bodies written by callers and in translated ones.
 */
export interface Quirks {
  /** False when requesting usage in a stream is an error; such vendors send it anyway. */
  streamOptions?: boolean
  /** Parameters that the vendor refuses, and that can be dropped without changing the answer's meaning. */
  without?: readonly ('top_k' | 'user')[]
  messages?: MessageQuirk
}

export interface MessageQuirk {
  /** Matches the text of a body that needs the fix: others are not even parsed. */
  concerns: RegExp
  rewrite(message: Fields): Fields
}

/** Applies the quirks to a translated body. */
export function withQuirks(body: Fields, { streamOptions = true, without = [], messages, ...rest }: Quirks): Fields {
  allRead(rest)
  const refused = new Set<string>(streamOptions ? without : [...without, 'stream_options'])
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !refused.has(name)))
  return messages === undefined ? kept : rewritten(kept, messages)
}

/** The same for a caller's own body, which is otherwise passed byte for byte. */
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
