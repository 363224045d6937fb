import { createRoute, redirect } from '@tanstack/react-router'
import { OUTCOMES } from '@tollgate/contract'
import { z } from 'zod'
import { auditSearch } from '../../lib/lists/audit-search.ts'
import { count, countOrNone, listSearch, mark, numbers, oneOf, word } from '../../lib/lists/list-search.ts'
import { adminPage, privatePage } from '../pages.ts'
import { getParentRoute } from './root-route.ts'
import { usageView } from './usage-view.ts'

const logs = createRoute({
  getParentRoute,
  path: '/log',
  // `start` and `end` are unix seconds; an absent `end` is one hour ahead of now, an absent `start` has no bound.
  validateSearch: listSearch.omit({ keyword: true }).extend({
    type: numbers.logType,
    token_name: word,
    model_name: word,
    session: word,
    request_id: word,
    username: word,
    user_id: count(),
    group: word,
    // 0: entries without a channel.
    channel: countOrNone,
    outcome: oneOf([...OUTCOMES, 'failed']),
    min_quota: count(),
    min_elapsed: count(),
    stream: oneOf(['true', 'false']),
    ...{ no_model: mark, offered: mark, no_token: mark, no_group: mark },
    start: countOrNone,
    end: countOrNone,
    // The call whose panel is open.
    request: word,
  }),
  ...privatePage('logs', () => import('../../features/logs/logs-page.tsx').then((file) => file.LogsPage)),
})

/** One call, as a URL that can be written by hand from its request ID. */
const logOfCall = createRoute({
  getParentRoute,
  path: '/log/$request',
  ...privatePage('logs', () => import('../../features/logs/logs-page.tsx').then((file) => file.LogsPage)),
  beforeLoad: ({ params: { request } }) => {
    throw redirect({ to: '/log', search: { request_id: request, request }, replace: true })
  },
})

const analytics = createRoute({
  getParentRoute,
  path: '/analytics',
  validateSearch: z.object({
    ...{ ...usageView, by: word, step: word, compare: word },
    ...{ model: word, user: word, group: word, key: word, outcome: word },
    ...{ no_model: mark, no_key: mark, no_group: mark },
    channel: countOrNone,
  }),
  ...privatePage('analytics', () =>
    import('../../features/analytics/analytics-page.tsx').then((file) => file.AnalyticsPage),
  ),
})

const alerts = createRoute({
  getParentRoute,
  path: '/alert',
  validateSearch: z.object({
    owner: oneOf(['gateway', 'own']),
    tab: oneOf(['rules', 'destinations', 'deliveries']),
    page: listSearch.shape.page,
  }),
  ...privatePage('alerts', () => import('../../features/alerts/alerts-page.tsx').then((file) => file.AlertsPage)),
})

const audit = createRoute({
  getParentRoute,
  path: '/audit',
  validateSearch: auditSearch,
  ...adminPage('audit', () => import('../../features/audit/audit-page.tsx').then((file) => file.AuditPage)),
})

export const usageRoutes = [logs, logOfCall, analytics, alerts, audit] as const
