import { PACKED, unpacked } from './gemini/packed-signature.ts'
import { type Fields, fieldsOf, isFields, listOf, textOf } from './json.ts'
import { isMarked, type Signer, signatureFor } from './signature.ts'

/*
 * A conversation may move between vendors that speak the caller's dialect natively. Its body is passed through, except for
 * reasoning signed by another vendor, which is an error to this one.
 */

/** What every body with such reasoning contains: a quick text search spares parsing the others. */
export const mayHaveForeignSignature = (text: string, signer?: Signer) =>
  SIGNS.some((sign) => text.includes(sign)) || (signer !== undefined && text.includes('"encrypted_content"'))

const SIGNS = ['tollgate/', PACKED, '"signature":""', '"signature": ""']

/**
 * The body, in whichever dialect, without reasoning signed by other vendors. A vendor that speaks another's dialect has a
 * mark of its own, which is removed.
 */
export function withoutForeignSignatures(body: Fields, signer?: Signer): Fields {
  if (Array.isArray(body.messages)) return { ...body, messages: eachList(body.messages, 'content', keptBlock) }
  if (Array.isArray(body.contents)) return { ...body, contents: eachList(body.contents, 'parts', keptPart) }
  if (Array.isArray(body.input)) return { ...body, input: body.input.flatMap((item) => keptItem(item, signer)) }
  return body
}

/** A message without remaining content is dropped. */
const eachList = (messages: readonly unknown[], member: string, keep: (part: Fields) => Fields[]) =>
  messages.flatMap((message) => {
    if (!isFields(message) || !Array.isArray(message[member])) return [message]
    const parts = listOf(message[member])
    const kept = parts.flatMap((part) => (isFields(part) ? keep(part) : [part]))
    return kept.length === 0 && parts.length > 0 ? [] : [{ ...message, [member]: kept }]
  })

/** Claude signs all of its thinking, so unsigned thinking is not Claude's. */
const keptBlock = (block: Fields) =>
  block.type === 'thinking' && (block.signature === '' || isMarked(block.signature)) ? [] : [block]

function keptItem(item: unknown, signer: Signer | undefined): unknown[] {
  const { type, encrypted_content } = fieldsOf(item)
  if (type !== 'reasoning' || typeof encrypted_content !== 'string') return [item]
  if (signer === undefined) return isMarked(encrypted_content) ? [] : [item]
  // Without a mark it belongs to the vendor that defined the dialect.
  const own = signatureFor(signer, encrypted_content)
  return own === undefined ? [] : [{ ...fieldsOf(item), encrypted_content: own }]
}

/** Google's documented value for calls without a signature of its own. */
export const UNSIGNED = 'skip_thought_signature_validator'

function keptPart({ thoughtSignature, ...part }: Fields): Fields[] {
  if (!isMarked(unpacked(textOf(thoughtSignature) ?? '')))
    return thoughtSignature === undefined ? [part] : [{ ...part, thoughtSignature }]
  if (part.thought === true || part.text === '') return []
  return [isFields(part.functionCall) ? { ...part, thoughtSignature: UNSIGNED } : part]
}
