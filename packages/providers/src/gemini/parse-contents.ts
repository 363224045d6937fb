import type { AssistantContent, ChatMessage, FileContent, ImageContent, UserContent } from '../chat.ts'
import { defined } from '../json.ts'
import { refusedKind } from '../other-kind.ts'
import { signatureFor, signedBy } from '../signature.ts'
import { type ParsedMessage, withFilesAfterResults } from '../tool-files.ts'
import { redactedFromGoogle, unpacked } from './packed-signature.ts'
import type { GenerateContent, GeneratePart } from './request-schema.ts'

/** Contents in the internal format. Calls may have no ids: a result answers the oldest open call of its name. */
export function toMessages(contents: readonly GenerateContent[]): ChatMessage[] {
  const open = openCalls()
  const call = ({ name }: NonNullable<GeneratePart['functionCall']>, id: string) => {
    open.add(id, name)
    return id
  }
  const answered = ({ id, name }: NonNullable<GeneratePart['functionResponse']>) =>
    open.take({ id, name }) ?? id ?? name

  const messages = joinAnswers(contents).flatMap(({ role = 'user', parts }, index): ParsedMessage[] => {
    if (role === 'system') return [{ role, content: toTexts(parts) }]
    if (role === 'model') {
      const id = (part: number) => `call_${index}_${part}`
      return [
        {
          role: 'assistant',
          content: withSignedThoughts(
            parts.flatMap((part, place) =>
              part.functionCall === undefined
                ? toAnswer(part)
                : [toCall(part, part.functionCall, call(part.functionCall, part.functionCall.id ?? id(place)))],
            ),
          ),
        },
      ]
    }
    const results = parts.flatMap(({ functionResponse: own }) =>
      own === undefined ? [] : [toResult(own, answered(own))],
    )
    const content = parts.flatMap(toUserContent)
    return content.length > 0 || results.length === 0 ? [...results, { role: 'user', content }] : results
  })
  return withFilesAfterResults(messages)
}

/** Calls without a result, in order, found without searching all of them: a conversation may have very many. */
function openCalls() {
  const byId = new Map<string, Calls>()
  const byName = new Map<string, Calls>()
  const addTo = (index: Map<string, Calls>, key: string, call: OpenCall) => {
    const known = index.get(key)
    if (known === undefined) index.set(key, { all: [call], next: 0 })
    else known.all.push(call)
  }
  return {
    add(id: string, name: string) {
      const call = { id, isOpen: true }
      addTo(byId, id, call)
      addTo(byName, name, call)
    },
    /** The id of the oldest, which is then closed. */
    take({ id, name }: { id?: string | undefined; name: string }) {
      const calls = id === undefined ? byName.get(name) : byId.get(id)
      if (calls === undefined) return undefined
      while (calls.all[calls.next]?.isOpen === false) calls.next++
      const found = calls.all[calls.next]
      if (found !== undefined) found.isOpen = false
      return found?.id
    },
  }
}

interface OpenCall {
  id: string
  isOpen: boolean
}

interface Calls {
  all: OpenCall[]
  /** Those before it are closed. */
  next: number
}

export const toTexts = (parts: readonly GeneratePart[]) =>
  parts.flatMap(({ text }) => (text === undefined ? [] : [{ type: 'text' as const, text }]))

const toResult = (
  { name, response = {}, parts = [] }: NonNullable<GeneratePart['functionResponse']>,
  callId: string,
): ParsedMessage => ({
  role: 'tool',
  callId,
  name,
  content: [{ type: 'text', text: JSON.stringify(response) }, ...parts.flatMap(toMedia).map(inResult)],
})

function inResult(part: UserContent): ImageContent | FileContent {
  if (part.type === 'image' || part.type === 'file') return part
  throw refusedKind('contents.parts.functionResponse.parts', part.type)
}

const toCall = (part: GeneratePart, { name, args = {} }: NonNullable<GeneratePart['functionCall']>, id: string) =>
  defined({
    type: 'tool-call' as const,
    id,
    name,
    arguments: JSON.stringify(args),
    signature: part.thoughtSignature === undefined ? undefined : signedBy('gemini', unpacked(part.thoughtSignature)),
  })

function toAnswer({ text, thought, thoughtSignature }: GeneratePart): AssistantContent[] {
  if (text === undefined) return []
  const signature = thoughtSignature === undefined ? undefined : signedBy('gemini', unpacked(thoughtSignature))
  const redacted = redactedFromGoogle(thoughtSignature)
  if (thought !== true) {
    const words: AssistantContent[] = text === '' ? [] : [{ type: 'text', text }]
    if (redacted !== undefined) return [{ type: 'reasoning', text: '', redacted }, ...words]
    return signature === undefined ? words : [...words, { type: 'reasoning', text: '', signature }]
  }
  if (redacted !== undefined) return [{ type: 'reasoning', text, redacted }]
  return [defined({ type: 'reasoning' as const, text, signature })]
}

/** Google's client returns each chunk of a stream as a content of its own; together they are one answer. */
function joinAnswers(contents: readonly GenerateContent[]): GenerateContent[] {
  return contents.reduce<GenerateContent[]>((all, content) => {
    const last = all.at(-1)
    if (last?.role === 'model' && content.role === 'model') {
      last.parts.push(...content.parts)
    } else all.push({ ...content, parts: [...content.parts] })
    return all
  }, [])
}

/** The last chunk of a thought has the signature of the whole. */
function joinPieces(content: readonly AssistantContent[]): AssistantContent[] {
  return content.reduce<AssistantContent[]>((all, part) => {
    const last = all.at(-1)
    const open = last?.type === 'reasoning' && last.signature === undefined && last.redacted === undefined
    if (open && part.type === 'reasoning' && part.redacted === undefined) {
      all[all.length - 1] = { ...part, text: last.text + part.text }
    } else if (last?.type === 'text' && part.type === 'text') {
      all[all.length - 1] = { ...last, text: last.text + part.text }
    } else all.push(part)
    return all
  }, [])
}

/**
 * LiteLLM returns the signature of a thought with the words after it, where Google's own may be. Those of other vendors are useless without
 * their thought.
 */
function withSignedThoughts(content: readonly AssistantContent[]): AssistantContent[] {
  const all: AssistantContent[] = []
  for (const part of joinPieces(content)) {
    const open = isMoved(part) ? all.findLastIndex(isUnsigned) : -1
    const thought = all[open]
    if (part.type === 'reasoning' && thought?.type === 'reasoning') all[open] = { ...part, text: thought.text }
    else all.push(part)
  }
  return all
}

const isMoved = (part: AssistantContent) =>
  part.type === 'reasoning' &&
  part.text === '' &&
  part.signature !== undefined &&
  signatureFor('gemini', part.signature) === undefined

const isUnsigned = (part: AssistantContent) =>
  part.type === 'reasoning' && part.signature === undefined && part.redacted === undefined

const toUserContent = (part: GeneratePart): UserContent[] =>
  part.text === undefined ? toMedia(part) : [{ type: 'text', text: part.text }]

function toMedia({ inlineData, fileData }: Pick<GeneratePart, 'inlineData' | 'fileData'>): UserContent[] {
  if (inlineData !== undefined) return [toInline(inlineData)]
  if (fileData === undefined) return []
  const source = { url: fileData.fileUri }
  if (fileData.mimeType?.startsWith('image/')) return [{ type: 'image', source }]
  return [defined({ type: 'file' as const, source, name: fileData.displayName })]
}

function toInline({ mimeType, data, displayName }: NonNullable<GeneratePart['inlineData']>): UserContent {
  const source = { mimeType, base64: data }
  const [kind, format = ''] = mimeType.split('/')
  if (kind === 'image') return { type: 'image', source }
  if (kind === 'audio') return { type: 'audio', format, base64: data }
  return defined({ type: 'file' as const, source, name: displayName })
}
