import { type Fields, failureOf, isFields, type PagedResults, VendorError } from '@tollgate/providers'
import { asReply, type Bytes, type Reply } from '../upstream/reply.ts'

/** A batch has at most 50,000 lines. */
const PAGES_MAX = 10_000

const encoder = new TextEncoder()

/** Results that the vendor shows page by page, as a file of lines. A page is requested when the one before was read. */
export const pagedReply = async (
  file: string,
  results: PagedResults,
  request: (path: string) => Promise<unknown>,
): Promise<Reply> => {
  const pageAt = async (token?: string) => results.read(fieldsIn(await request(results.path(file, token))), file)
  // A vendor that fails at once is an error, not an empty file.
  let page: ReturnType<PagedResults['read']> | undefined = await pageAt()
  const seen = new Set<string>()

  const read = async (): Promise<Bytes | undefined> => {
    while (page !== undefined) {
      const { lines, next } = page
      // The same page again would never end.
      if (next !== undefined && (seen.has(next) || seen.size >= PAGES_MAX))
        throw new VendorError(failureOf('server', 'The pages of results have no end'))
      if (next !== undefined) seen.add(next)
      page = next === undefined ? undefined : await pageAt(next)
      // No line break after the last line, as in OpenAI's files; an empty last page leaves one, which is no line.
      if (lines.length > 0)
        return encoder.encode(lines.map((line) => JSON.stringify(line)).join('\n') + (page === undefined ? '' : '\n'))
    }
    return undefined
  }
  const cancel = () => {
    page = undefined
  }
  return { ...asReply(new Response(null)), read, cancel }
}

/** Otherwise a batch would be settled as if nothing had been answered. */
function fieldsIn(body: unknown): Fields {
  if (isFields(body) && Array.isArray(body.results)) return body
  throw new VendorError(failureOf('server', 'The answer holds no results'))
}
