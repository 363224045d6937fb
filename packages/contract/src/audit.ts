import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { page } from './api/fields.ts'

/** One change made by an administrator: who, what, and how it was before and after. Secrets appear as fingerprints. */
export const AuditEvent = z.object({
  id: z.int(),
  created_at: z.int(),
  actor_id: z.int(),
  actor_name: z.string(),
  action: z.string(),
  target: z.string(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  ip: z.string(),
})

export type AuditEvent = z.infer<typeof AuditEvent>

export const audit = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit',
    access: 'admin',
    paged: true,
    summary: { zh: '操作记录', en: 'Record of administrative changes' },
    query: z.object({ p: page, target: z.string().max(128).default('') }),
    data: z.array(AuditEvent),
  }),
}
