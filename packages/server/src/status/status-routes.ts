import { groups, status } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { StatusService } from './status-service.ts'

export const statusRoutes = (router: Router, service: StatusService) => {
  serve(router, status.get, () => service.status())
  serve(router, status.notice, () => service.notice())
  serve(router, status.about, () => service.about())
  serve(router, status.homePageContent, () => service.homePageContent())
  serve(router, groups.list, () => service.groups())
}
