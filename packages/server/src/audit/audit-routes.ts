import { audit } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { AuditService } from './audit-service.ts'

export const auditRoutes = (router: Router, service: AuditService) => {
  serve(router, audit.list, ({ query }) => service.list(query))
}
