import { type LogFilter, LogType, logs } from '@tollgate/contract'
import { GatewayError, type Language } from '../common/errors.ts'
import { Download, Events, type Router, serve } from '../http/serve.ts'
import type { ExportFormat } from './export-format.ts'
import type { LogSearch } from './log-conditions.ts'
import type { LogTail } from './log-tail.ts'
import type { LogsService } from './logs-service.ts'
import type { UnknownCallers } from './unknown-callers.ts'

interface Needs {
  logs: LogsService
  unknownCallers: UnknownCallers
  tail: LogTail
}

interface Watching {
  actor: { id: number }
  language: Language
  lastEventId: string | undefined
}

export const logsRoutes = (router: Router, { logs: service, unknownCallers, tail }: Needs) => {
  const file = (
    search: LogSearch,
    options: { format: ExportFormat; language?: Language | undefined },
    language: Language,
  ) => {
    const { name, type, pieces } = service.export(search, options.format, options.language ?? language)
    return new Download(name, type, pieces)
  }

  const watched = (search: LogSearch, options: { after?: string | undefined }, caller: Watching) => {
    const { actor, language, lastEventId } = caller
    tail.admit(actor.id)
    // The header of a reconnecting browser is newer than the query of its URL.
    const watch = { search, userId: actor.id, language, after: lastEventId ?? options.after }
    return new Events((isAllowed) => tail.watch(watch, isAllowed))
  }

  serve(router, logs.list, ({ query }, { language }) => service.page(all(query), query, language))
  serve(router, logs.search, ({ query }, { language }) =>
    service.page({ ...all(ANY), keyword: query.keyword }, query, language),
  )
  serve(router, logs.stat, ({ query }) => service.statistic(all(query)))
  serve(router, logs.export, ({ query }, { language }) => file(all(query), query, language))
  serve(router, logs.dashboard, ({ query }) => service.siteDashboard(query.utc_offset_minutes))
  serve(router, logs.tail, ({ query }, caller) =>
    watched(all(query), query, { ...caller, language: query.language ?? caller.language }),
  )
  serve(router, logs.unknownCallers, () => unknownCallers.list())
  serve(router, logs.clear, ({ query }, caller) => service.clear(caller, query.target_timestamp))

  serve(router, logs.listSelf, ({ query }, { actor, language }) => service.page(mine(actor, query), query, language))
  serve(router, logs.searchSelf, ({ query }, { actor, language }) =>
    service.page({ ...mine(actor, ANY), keyword: query.keyword }, query, language),
  )
  serve(router, logs.exportSelf, ({ query }, { actor, language }) => file(mine(actor, query), query, language))
  serve(router, logs.tailSelf, ({ query }, caller) =>
    watched(mine(caller.actor, query), query, { ...caller, language: query.language ?? caller.language }),
  )
  serve(router, logs.statSelf, ({ query }, { actor }) => service.statistic(mine(actor, query)))
}

const ANY: LogFilter = {
  ...{
    type: LogType.all,
    username: '',
    user_id: 0,
    group: '',
    no_group: '',
    token_name: '',
    model_name: '',
    session: '',
    request_id: '',
    channel: 0,
  },
  ...{ start_timestamp: 0, end_timestamp: 0, outcome: '', min_quota: 0, min_elapsed: 0, stream: '' },
  ...{ no_model: '', offered: '', no_token: '' },
}

const all = (filter: LogFilter): LogSearch => ({ scope: 'everyone', filter: inOrder(filter) })

/** A user's own rows need no filter by user or group, and channels are not visible to users. */
const mine = (
  { id }: { id: number },
  filter: Omit<LogFilter, 'username' | 'user_id' | 'group' | 'no_group' | 'channel'>,
): LogSearch => ({
  scope: { userId: id },
  filter: inOrder({ ...filter, username: '', user_id: 0, group: '', no_group: '', channel: 0 }),
})

/** A range that was turned round would look like a log without entries. */
function inOrder(filter: LogFilter) {
  const { start_timestamp: start, end_timestamp: end } = filter
  if (end !== 0 && end < start) throw new GatewayError('analytics.range')
  return filter
}
