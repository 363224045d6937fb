import { routes } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { RoutesService } from './routes-service.ts'

export const routesRoutes = (router: Router, service: RoutesService) => {
  serve(router, routes.prices, ({ query }, { actor }) => service.prices(actor.group, query))
  serve(router, routes.groupPrices, ({ query }) => service.prices(query.group, query))
  serve(router, routes.models, ({ query }) => service.models(query.group))
  serve(router, routes.choices, ({ query }) => service.choices(query))
  serve(router, routes.setPolicy, ({ body }, caller) => service.setPolicy(caller, body))
  serve(router, routes.dryRun, ({ body }) => service.dryRun(body))
  serve(router, routes.placement, ({ body }) => service.placement(body))
  serve(router, routes.view, ({ query }) => service.view(query))
  serve(router, routes.change, ({ body }, caller) => service.change(caller, body))
}
