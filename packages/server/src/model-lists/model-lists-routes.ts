import { modelLists } from '@tollgate/contract'
import { pageWindow } from '../database/page-window.ts'
import { type Router, serve } from '../http/serve.ts'
import type { ModelListsService } from './model-lists-service.ts'

export const modelListsRoutes = (router: Router, service: ModelListsService) => {
  serve(router, modelLists.list, ({ query }) => service.page(pageWindow(query.p, query.page_size)))
  serve(router, modelLists.accept, ({ body }, caller) => service.accept(caller, body.changes, body.preview))
  serve(router, modelLists.ignore, ({ body }) => service.ignore(body.changes))
  serve(router, modelLists.look, ({ params }) => service.check(params.id))
  serve(router, modelLists.get, ({ params }) => service.get(params.id))
}
