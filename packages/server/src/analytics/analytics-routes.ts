import { analytics } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { AnalyticsService } from './analytics-service.ts'
import type { NeedsAttention } from './needs-attention.ts'

interface Services {
  analytics: AnalyticsService
  attention: NeedsAttention
}

export const analyticsRoutes = (router: Router, { analytics: service, attention }: Services) => {
  serve(router, analytics.read, ({ query }) => service.read('everyone', query))
  serve(router, analytics.readSelf, ({ query }, { actor }) =>
    service.read(
      { userId: actor.id },
      { ...query, channel: undefined, user: undefined, group: undefined, no_group: undefined },
    ),
  )
  serve(router, analytics.attention, (_, { language }) => attention.ofSite(language))
  serve(router, analytics.attentionSelf, (_, { actor }) => attention.ofUser(actor))
}
