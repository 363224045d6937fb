import { type Fields, isFields, listOf, textOf } from '../json.ts'

/** The end of a file's address, and its name. We name files ourselves when they are uploaded. */
const OURS = /(?:^|\/)files\/([0-9a-f]{32})$/

/** Our name of the file at this address; undefined for any other. */
export const storedFileAt = (address: string) => OURS.exec(address)?.[1]

/** Where content is in the bodies of Google's dialect. */
const INSIDE = [
  ...['contents', 'content', 'parts', 'requests', 'request', 'systemInstruction', 'system_instruction'],
  ...['generateContentRequest', 'generate_content_request', 'functionResponse', 'function_response'],
]
/** A part inside the result of a function, inside a request of a batch. */
const DEPTH_MAX = 8

/** The uploaded files that a call of Google's dialect refers to, by our names. */
export function storedFiles(body: Fields, depth = 0): string[] {
  if (depth > DEPTH_MAX) return []
  const data = body.fileData ?? body.file_data
  const own = isFields(data) ? storedFileAt(textOf(data.fileUri) ?? textOf(data.file_uri) ?? '') : undefined
  const inner = INSIDE.flatMap((name) => {
    const value = body[name]
    const members = Array.isArray(value) ? listOf(value) : [value]
    return members.flatMap((member) => (isFields(member) ? storedFiles(member, depth + 1) : []))
  })
  return own === undefined ? inner : [own, ...inner]
}
