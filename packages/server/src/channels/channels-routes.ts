import { channels } from '@tollgate/contract'
import { allModels, modelsByType } from '../catalog/known-models.ts'
import { GatewayError } from '../errors.ts'
import { Answer, type Router, serve } from '../http/serve.ts'
import type { ChannelsService } from './channels-service.ts'

export const channelsRoutes = (router: Router, service: ChannelsService) => {
  // Fixed paths first: `/api/channel/models` would otherwise be taken for a channel's id.
  serve(router, channels.search, ({ query }) => service.page(query.keyword, query.p))
  serve(router, channels.models, () => new Answer(allModels(), { beside: { object: 'list' } }))
  serve(router, channels.modelsByType, () => modelsByType())
  serve(router, channels.removeDisabled, (_, caller) => service.removeDisabled(caller))
  serve(router, channels.testAll, relayMissing)
  serve(router, channels.test, relayMissing)
  serve(router, channels.updateAllBalances, relayMissing)
  serve(router, channels.updateBalance, relayMissing)

  serve(router, channels.list, ({ query }) => service.page('', query.p))
  serve(router, channels.get, ({ params }) => service.get(params.id))
  serve(router, channels.create, ({ body }, caller) => service.create(caller, body))
  serve(router, channels.update, ({ body }, caller) => service.update(caller, body))
  serve(router, channels.remove, ({ params }, caller) => service.remove(caller, params.id))
}

function relayMissing(): never {
  throw new GatewayError('channel.relay_missing')
}
