import { type LogFilter, logs } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { LogsService } from './logs-service.ts'

export const logsRoutes = (router: Router, service: LogsService) => {
  serve(router, logs.list, ({ query }, { language }) => service.list('everyone', query, query.p, language))
  serve(router, logs.search, ({ query }, { language }) => service.search('everyone', query.keyword, query.p, language))
  serve(router, logs.stat, ({ query }) => service.statistic('everyone', query))
  serve(router, logs.clear, ({ query }, caller) => service.clear(caller, query.target_timestamp))

  serve(router, logs.listSelf, ({ query }, { actor, language }) =>
    service.list({ userId: actor.id }, own(query), query.p, language),
  )
  serve(router, logs.searchSelf, ({ query }, { actor, language }) =>
    service.search({ userId: actor.id }, query.keyword, query.p, language),
  )
  serve(router, logs.statSelf, ({ query }, { actor }) => service.statistic({ userId: actor.id }, own(query)))
}

/** One's own rows need no filter by user, and channels are none of a user's business. */
function own(query: Omit<LogFilter, 'username' | 'channel'>): LogFilter {
  return { ...query, username: '', channel: 0 }
}
