import { channels } from '@tollgate/contract'
import { allModels, modelsByType } from '../catalog/known-models.ts'
import type { Prices } from '../catalog/prices.ts'
import { pageWindow } from '../database/page-window.ts'
import { Answer, type Router, serve } from '../http/serve.ts'
import type { Explain } from '../routes/explain-routing.ts'
import type { Attention } from './channel-attention.ts'
import type { ChannelBulk } from './channel-bulk.ts'
import type { ChannelChecks } from './channel-checks.ts'
import type { ChannelFinder } from './channel-finder.ts'
import type { ChannelsService } from './channels-service.ts'
import type { ExportChannels } from './export-channels.ts'
import type { ImportChannels } from './import-channels.ts'
import type { VendorQueries } from './vendor-queries.ts'

interface Services {
  channels: ChannelsService
  finder: ChannelFinder
  bulk: ChannelBulk
  checks: ChannelChecks
  vendorQueries: VendorQueries
  explain: Explain
  attention: Attention
  prices: Prices
  exportChannels: ExportChannels
  importChannels: ImportChannels
}

export const channelsRoutes = (router: Router, services: Services) => {
  const { channels: service, finder, bulk, checks, vendorQueries, explain, attention, prices } = services
  // Fixed paths first: `/api/channel/models` would otherwise be taken for a channel's id.
  serve(router, channels.search, ({ query }) => finder.page(query, pageWindow(query.p, query.page_size)))
  serve(router, channels.models, () => new Answer(allModels(), { extra: { object: 'list' } }))
  serve(router, channels.modelsByType, () => {
    const { models, unpriced } = modelsByType(prices)
    return new Answer(models, { extra: { unpriced } })
  })
  serve(router, channels.copy, ({ body }, caller) => service.copy(caller, body))
  serve(router, channels.exportFile, ({ body }, caller) => services.exportChannels(caller, body))
  serve(router, channels.importFile, ({ body }, caller) => services.importChannels(caller, body))
  serve(router, channels.bulk, ({ body }, caller) => bulk(caller, body))
  serve(router, channels.removeDisabled, (_, caller) => service.removeDisabled(caller))
  serve(router, channels.testAll, ({ query }, caller) => checks.startTests(query.scope, caller))
  serve(router, channels.testProgress, () => checks.progress())
  serve(router, channels.test, async ({ params, query }, caller) => {
    const { text, extra } = await checks.test(params.id, query.model, caller)
    return new Answer(undefined, { message: text, extra })
  })
  serve(router, channels.updateAllBalances, () => vendorQueries.updateAllBalances())
  serve(router, channels.updateBalance, async ({ params }) => {
    return new Answer(undefined, { extra: { balance: await vendorQueries.updateBalance(params.id) } })
  })
  serve(router, channels.fetchModels, ({ params }) => vendorQueries.fetchModels(params.id))
  serve(router, channels.listModels, ({ body }) => vendorQueries.listModels(body))
  serve(router, channels.unpriced, () => vendorQueries.unpriced())
  serve(router, channels.findUnpriced, ({ body }) => service.findUnpriced(body))
  serve(router, channels.attention, (_, { language }) => attention.needed(language))
  serve(router, channels.outcomes, () => attention.outcomes())
  serve(router, channels.tags, () => service.tags())
  serve(router, channels.offeredModels, () => service.offeredModels())
  serve(router, channels.explain, ({ query }) => explain(query))

  serve(router, channels.list, ({ query }) => finder.page(query, pageWindow(query.p, query.page_size)))
  serve(router, channels.get, ({ params }) => service.get(params.id))
  serve(router, channels.create, ({ body }, caller) => service.create(caller, body))
  serve(router, channels.update, ({ body }, caller) => service.update(caller, body))
  serve(router, channels.remove, ({ params }, caller) => service.remove(caller, params.id))
}
