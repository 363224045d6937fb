import { budgets } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { BudgetsService } from './budgets-service.ts'

export const budgetsRoutes = (router: Router, service: BudgetsService) => {
  serve(router, budgets.list, ({ query }, { actor }) => service.page(actor, query))
  serve(router, budgets.listSelf, ({ query }, { actor }) => service.binding(actor, query.p))
  serve(router, budgets.get, ({ params }, { actor }) => service.get(actor, params.id))
  serve(router, budgets.create, ({ body }, caller) => service.create(caller, body))
  serve(router, budgets.update, ({ body }, caller) => service.update(caller, body))
  serve(router, budgets.remove, ({ params }, caller) => service.remove(caller, params.id))
}
