import { channelKeys } from '@tollgate/contract'
import { Answer, type Router, serve } from '../http/serve.ts'
import type { ChannelChecks } from './channel-checks.ts'
import type { ChannelKeysService } from './channel-keys-service.ts'

interface Services {
  channelKeys: ChannelKeysService
  checks: ChannelChecks
}

export const channelKeysRoutes = (router: Router, { channelKeys: service, checks }: Services) => {
  serve(router, channelKeys.list, ({ params, query }, { language }) => service.page(params.id, query, language))
  serve(router, channelKeys.counts, ({ params }) => service.counts(params.id))
  serve(router, channelKeys.add, ({ params, body }, caller) => service.add(caller, params.id, body))
  serve(router, channelKeys.update, ({ params, body }, caller) => service.update(caller, params.id, body))
  // The fixed path first: it would otherwise match as a key's id.
  serve(router, channelKeys.removeSome, ({ params, body }, caller) => service.removeSome(caller, params.id, body.ids))
  serve(router, channelKeys.removeSetAside, ({ params }, caller) => service.removeSetAside(caller, params.id))
  serve(router, channelKeys.remove, ({ params }, caller) => service.remove(caller, params.id, params.key))
  serve(router, channelKeys.test, async ({ params, query }, caller) => {
    const { text, extra } = await checks.testKey({ channel: params.id, key: params.key }, query.model, caller)
    return new Answer(undefined, { message: text, extra })
  })
}
