import type { AssistantContent, ChatMessage, UserContent } from '../chat.ts'
import { argumentsObject, plainText, toolNames } from '../content.ts'
import { UNSIGNED } from '../foreign-signature.ts'
import { defined, type Fields, isFields } from '../json.ts'
import { signatureFor } from '../signature.ts'
import { withUserFirst } from '../user-first.ts'

interface Content {
  role: 'user' | 'model'
  parts: object[]
}

/** Messages in Google's dialect. All results of one turn must be in one content. */
export function toContents(messages: readonly ChatMessage[], { signedCalls }: { signedCalls: boolean }): Content[] {
  const names = toolNames(messages)
  const contents: Content[] = []
  for (const message of withUserFirst(messages)) {
    if (message.role === 'system' || message.role === 'developer') continue
    const role = message.role === 'assistant' ? 'model' : 'user'
    const parts = partsOf(message, names, signedCalls)
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role, parts })
  }
  return contents
}

function partsOf(message: ChatMessage, names: ReadonlyMap<string, string>, signedCalls: boolean): object[] {
  if (message.role === 'assistant') return modelParts(message.content, signedCalls)
  if (message.role === 'tool') return toolParts(message, names)
  return message.content.flatMap((part) => userPart(part))
}

const textPart = (text: string): object[] => (text === '' ? [] : [{ text }])

function userPart(part: UserContent): object[] {
  switch (part.type) {
    case 'text':
      return textPart(part.text)
    case 'image':
      return [dataPart(part.source)]
    case 'audio':
      return [dataPart({ mimeType: `audio/${part.format}`, base64: part.base64 })]
    case 'file':
      return [dataPart(part.source)]
  }
}

/** A remaining URL points to one of Google's stores or to a page that its models read themselves. */
function dataPart(source: Extract<UserContent, { type: 'file' }>['source']): object {
  if ('base64' in source) return { inlineData: { mimeType: source.mimeType, data: source.base64 } }
  const fileUri = 'url' in source ? source.url : source.id
  const [, extension = ''] = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(fileUri) ?? []
  return { fileData: defined({ fileUri, mimeType: MIME_TYPES.get(extension.toLowerCase()) }) }
}

const MIME_TYPES = new Map<string, string>([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['heic', 'image/heic'],
  ['pdf', 'application/pdf'],
  ['mp3', 'audio/mp3'],
  ['wav', 'audio/wav'],
  ['mp4', 'video/mp4'],
])

function modelParts(content: readonly AssistantContent[], signedCalls: boolean): object[] {
  let pending: string | undefined
  let signed = false

  /** A signature without a call belongs to the text before it: it is sent back as Google sends it, after the text and alone. */
  const onWords = (): object[] => {
    const own = pending
    pending = undefined
    return own === undefined ? [] : [{ text: '', thoughtSignature: own }]
  }

  const parts = content.flatMap((part): object[] => {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return [...onWords(), ...textPart(part.text)]
      case 'reasoning': {
        // Google does not want thoughts back. Clients that cannot store signatures on calls keep them here.
        const own = signatureFor('gemini', part.signature)
        if (own === undefined) return []
        const before = onWords()
        pending = own
        return before
      }
      case 'tool-call': {
        const own = signatureFor('gemini', part.signature)
        const before = own === undefined ? [] : onWords()
        // Calls by another vendor, or whose signature was lost, get the placeholder that Google documents. Of parallel
        // calls only the first is signed, for all of them.
        const thoughtSignature = own ?? pending ?? (signedCalls && !signed ? UNSIGNED : undefined)
        pending = undefined
        signed = true
        const functionCall = { name: part.name, args: argumentsObject(part.arguments) }
        return [...before, defined({ functionCall, thoughtSignature })]
      }
      default:
        return []
    }
  })
  return [...parts, ...onWords()]
}

function toolParts(message: Extract<ChatMessage, { role: 'tool' }>, names: ReadonlyMap<string, string>): object[] {
  const { callId, name = names.get(callId) ?? callId, content, isError = false } = message
  return [
    { functionResponse: { name, response: responseOf(plainText(content), isError) } },
    ...content.flatMap((part) => (part.type === 'image' ? userPart(part) : [])),
  ]
}

/** A result must be an object. */
function responseOf(text: string, isError: boolean): Fields {
  if (isError) return { error: text }
  try {
    const parsed: unknown = JSON.parse(text)
    return isFields(parsed) ? parsed : { result: parsed }
  } catch {
    return { result: text }
  }
}
