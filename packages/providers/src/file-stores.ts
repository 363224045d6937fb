import type { ChatRequest, FileContent, ImageContent } from './chat.ts'
import { refusal } from './unsupported.ts'

/*
 * Callers may name a file that they stored at a vendor, by its id or by an address that only that vendor can open. Other vendors
 * answer such a name with whatever they say about a wrong id, so it is refused before they are asked, with the reason.
 */

export const GOOGLE_FILES = /^(gs:\/\/|files\/|https:\/\/generativelanguage\.googleapis\.com\/)/i
export const ANTHROPIC_FILES = /^file_/
/** Azure has ids of its own beside OpenAI's; neither has Anthropic's. */
export const OPENAI_FILES = /^(?!file_)[\w-]+$/
/** Ids of vendors that form them in many ways. */
export const ANY_FILE_ID = /^[\w-]+$/

/** Throws if the request names a file that is not in the vendor's own store. */
export function refuseForeignFiles(vendor: string, own: RegExp | undefined, { messages }: ChatRequest): void {
  for (const { content } of messages)
    for (const part of content) {
      const name = part.type === 'file' || part.type === 'image' ? storedName(part.source) : undefined
      if (name !== undefined && own?.test(name) !== true)
        throw refusal(vendor, part.type === 'file' ? 'file' : 'image_url', foreign(name))
    }
}

/** Undefined for content, and for addresses that everyone can open. */
function storedName(source: (FileContent | ImageContent)['source']) {
  if ('id' in source) return source.id
  return 'url' in source && isStoredFile(source.url) ? source.url : undefined
}

/** Whether only a vendor can open the address. */
export const isStoredFile = (url: string) => STORED.test(url)

const STORED = /^(?!https?:|data:)[a-z][a-z\d+.-]*:|^https:\/\/generativelanguage\.googleapis\.com\//i

const OWNERS: readonly [RegExp, string][] = [
  [GOOGLE_FILES, 'stored at Google'],
  [ANTHROPIC_FILES, 'stored at Anthropic'],
  [/^file-/, 'stored at OpenAI'],
]

function foreign(name: string) {
  const [, where = "in a store of the caller's"] = OWNERS.find(([names]) => names.test(name)) ?? []
  return `The file '${name.slice(0, 100)}' is ${where} and can not be read by this channel's model: send its content instead`
}
