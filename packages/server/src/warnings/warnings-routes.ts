import { warnings } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { WarningsService } from './warnings-service.ts'

export const warningsRoutes = (router: Router, service: WarningsService) => {
  serve(router, warnings.channel, ({ body }) => service.ofChannel(body))
  serve(router, warnings.channelKeys, ({ params, body }) => service.ofKeys(params.id, body.ids))
  serve(router, warnings.token, ({ body }, { actor }) => service.ofToken(actor, body))
  serve(router, warnings.user, ({ body }, caller) => service.ofUser(caller, body))
  serve(router, warnings.budget, ({ body }, { actor }) => service.ofBudget(actor, body))
  serve(router, warnings.option, ({ body }) => service.ofOption(body))
}
