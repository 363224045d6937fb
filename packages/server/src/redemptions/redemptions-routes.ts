import { redemptions } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { RedemptionsService } from './redemptions-service.ts'

export const redemptionsRoutes = (router: Router, service: RedemptionsService) => {
  serve(router, redemptions.list, ({ query }) => service.page(query))
  serve(router, redemptions.search, ({ query }) => service.page(query))
  serve(router, redemptions.get, ({ params }) => service.get(params.id))
  serve(router, redemptions.create, ({ body }, caller) => service.create(caller, body))
  serve(router, redemptions.update, ({ query, body }, caller) =>
    service.update(caller, body, query.status_only !== undefined && query.status_only !== ''),
  )
  serve(router, redemptions.remove, ({ params }, caller) => service.remove(caller, params.id))
}
