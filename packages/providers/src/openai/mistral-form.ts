import { defined, isFields } from '../json.ts'

/*
 * Mistral's API has the paths of OpenAI's and its own form of a few members. Its client library also sends them to models of other
 * vendors.
 */

/** Images by a bare address, and documents, as OpenAI's API has them. */
export function partInOpenAiForm(part: unknown): unknown {
  if (!isFields(part)) return part
  const { image_url, document_url, document_name, ...rest } = part
  if (part.type === 'image_url' && typeof image_url === 'string') return { ...rest, image_url: { url: image_url } }
  if (part.type !== 'document_url' || typeof document_url !== 'string') return part
  return { ...rest, type: 'file', file: defined({ file_data: document_url, filename: document_name }) }
}

/** Arguments may be an object there, and its text here. */
export const argumentsInOpenAiForm = (args: unknown) => (isFields(args) ? JSON.stringify(args) : args)

/** `any` is what OpenAI calls `required`. */
export const choiceInOpenAiForm = (choice: unknown) => (choice === 'any' ? 'required' : choice)
