import { type Fields, fieldsOf, isFields, listOf, textOf } from '../json.ts'

/**
 * The words of an error. Servers built with FastAPI, such as vLLM and Mistral's, have them in `detail`, one for each wrong field;
 * Cloudflare has a list of `errors`; OpenRouter has those of the vendor behind it in `metadata`.
 */
export function errorWords(error: Fields, depth = 0): string | undefined {
  const { message, msg, detail, errors, metadata } = error
  const words = [message, msg, detail, errors].map((one) => wordsOf(one, depth + 1)).find((one) => one !== undefined)
  const behind = wordsOf(fieldsOf(metadata).raw, depth + 1)
  return words === undefined || behind === undefined ? words : `${words}: ${behind}`.slice(0, WORDS_MAX)
}

function wordsOf(value: unknown, depth: number): string | undefined {
  if (depth > DEPTH_MAX) return undefined
  const text = textOf(value)
  if (text !== undefined) return text === '' ? undefined : text
  if (isFields(value)) return wordsOf(value.error, depth + 1) ?? aboutField(value, depth)
  const all = listOf(value).flatMap((one) => wordsOf(one, depth + 1) ?? [])
  return all.length === 0 ? undefined : all.join('; ').slice(0, WORDS_MAX)
}

const WORDS_MAX = 2000
/** An error may be nested as deeply as its sender likes. */
const DEPTH_MAX = 6

/** `{ loc: ['body', 'messages', 0], msg: 'field required' }` */
function aboutField(value: Fields, depth: number): string | undefined {
  const words = errorWords(value, depth)
  const place = listOf(value.loc).join('.')
  return words === undefined || place === '' ? words : `${place}: ${words}`
}
