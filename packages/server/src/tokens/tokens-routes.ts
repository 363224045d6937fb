import { tokens } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { TokensService } from './tokens-service.ts'
import type { UserTokensService } from './user-tokens-service.ts'

export const tokensRoutes = (router: Router, service: TokensService, ofUsers: UserTokensService) => {
  // Fixed paths first: `/api/token/all` would otherwise match as the token with the id `all`.
  serve(router, tokens.list, ({ query }, { actor }) => service.page(actor, query))
  serve(router, tokens.search, ({ query }, { actor }) => service.page(actor, query))
  serve(router, tokens.activity, ({ query }, { actor }) => service.activity(actor, query))
  serve(router, tokens.all, ({ query }) => ofUsers.page(query))
  serve(router, tokens.manage, ({ body }, caller) => ofUsers.manage(caller, body))
  serve(router, tokens.setLimits, ({ body }, caller) => ofUsers.setLimits(caller, body))
  serve(router, tokens.askRecording, ({ body }, caller) => ofUsers.askRecording(caller, body))
  serve(router, tokens.answerRecording, async ({ body }, caller) => {
    await ofUsers.answerRecording(caller, body)
    return service.get(caller.actor, body.id)
  })
  serve(router, tokens.get, ({ params }, { actor }) => service.get(actor, params.id))
  serve(router, tokens.create, ({ body }, { actor }) => service.create(actor, body))
  serve(router, tokens.update, ({ query, body }, { actor }) =>
    query.status_only === undefined || query.status_only === ''
      ? service.update(actor, body)
      : service.setStatus(actor, body.id, body.status),
  )
  serve(router, tokens.remove, ({ params }, { actor }) => service.remove(actor, params.id))
}
