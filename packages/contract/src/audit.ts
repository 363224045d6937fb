import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { listPageSize, page, seconds } from './api/fields.ts'

/** One change made by an administrator: who, what, and how it was before and after. Secrets appear as fingerprints. */
export const AuditEvent = z.object({
  id: z.int(),
  created_at: z.int(),
  actor_id: z.int(),
  actor_name: z.string(),
  action: z.string(),
  target: z.string(),
  /** What the channel, user, token or code is called today; empty when it has no name or is gone. */
  target_name: z.string().default(''),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  ip: z.string(),
})

export type AuditEvent = z.infer<typeof AuditEvent>

export type AuditFilter = Omit<z.infer<typeof audit.list.query>, 'p' | 'page_size'>

export const audit = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit',
    access: 'admin',
    paged: true,
    summary: { zh: '操作记录', en: 'Record of administrative changes' },
    query: z.object({
      p: page,
      page_size: listPageSize,
      /** A part of the target, or of the name that it has today. */
      target: z.string().max(128).default(''),
      /** A part of the name of who made the change. */
      actor: z.string().max(128).default(''),
      /** What was changed: the part of the action before the dot. */
      noun: z.string().max(32).default(''),
      start: seconds,
    }),
    data: z.array(AuditEvent),
  }),
}
