import type { z } from 'zod'
import { listSearch, word } from './list-search.ts'

/** The URL parameters of the audit log, known to every page and therefore small: the page knows which words there are. */
export const auditSearch = listSearch.extend({ noun: word, actor: word, since: word })

export type AuditSearch = z.infer<typeof auditSearch>
