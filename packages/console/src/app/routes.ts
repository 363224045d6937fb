import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { OUTCOMES } from '@tollgate/contract'
import { z } from 'zod'
import { channelSearch } from '../lib/channel-search.ts'
import { listSearch } from '../lib/list-search.ts'
import { userTokenSearch } from '../lib/user-token-search.ts'
import { adminPage, privatePage, publicPage } from './pages.ts'
import { Shell } from './shell/shell.tsx'

/* Every address of the product. A page's code is fetched when someone goes there. */

const root = createRootRoute({ component: Shell })
const getParentRoute = () => root
const text = z.string().optional().catch(undefined)
// Which days, which metric, by what: the pages know what these may be, and those who do not see them need not.
const usageView = { range: text, from: text, to: text, metric: text, split: text }

const home = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: z.object(usageView),
  ...publicPage('home', () => import('../features/home/home-page.tsx').then((file) => file.HomePage)),
})

const login = createRoute({
  getParentRoute,
  path: '/login',
  validateSearch: z.object({ expired: text, from: text }),
  ...publicPage('login', () => import('../features/session/login-page.tsx').then((file) => file.LoginPage)),
})

const register = createRoute({
  getParentRoute,
  path: '/register',
  validateSearch: z.object({ aff: text }),
  ...publicPage('register', () => import('../features/session/register-page.tsx').then((file) => file.RegisterPage)),
})

const reset = createRoute({
  getParentRoute,
  path: '/reset',
  ...publicPage('reset', () => import('../features/session/reset-page.tsx').then((file) => file.ResetPage)),
})

const resetConfirm = createRoute({
  getParentRoute,
  path: '/user/reset',
  validateSearch: z.object({ email: text, token: text }),
  ...publicPage('resetConfirm', () =>
    import('../features/session/reset-confirm-page.tsx').then((file) => file.ResetConfirmPage),
  ),
})

const callbackSearch = z.object({ code: text, state: text })

const github = createRoute({
  getParentRoute,
  path: '/oauth/github',
  validateSearch: callbackSearch,
  ...publicPage('oauth', () => import('../features/session/oauth-page.tsx').then((file) => file.GitHubCallbackPage)),
})

const lark = createRoute({
  getParentRoute,
  path: '/oauth/lark',
  validateSearch: callbackSearch,
  ...publicPage('oauth', () => import('../features/session/oauth-page.tsx').then((file) => file.LarkCallbackPage)),
})

const channels = createRoute({
  getParentRoute,
  path: '/channel',
  validateSearch: channelSearch,
  ...adminPage('channels', () =>
    import('../features/channels/list/channels-page.tsx').then((file) => file.ChannelsPage),
  ),
})

const channelAdd = createRoute({
  getParentRoute,
  path: '/channel/add',
  ...adminPage('channelAdd', () =>
    import('../features/channels/form/channel-form-page.tsx').then((file) => file.ChannelAddPage),
  ),
})

const channelEdit = createRoute({
  getParentRoute,
  path: '/channel/edit/$id',
  ...adminPage('channelEdit', () =>
    import('../features/channels/form/channel-form-page.tsx').then((file) => file.ChannelEditPage),
  ),
})

const routing = createRoute({
  getParentRoute,
  path: '/route',
  validateSearch: z.object({ group: text, model: text, path: text }),
  ...adminPage('routes', () => import('../features/routes/routes-page.tsx').then((file) => file.RoutesPage)),
})

const channelKeys = createRoute({
  getParentRoute,
  path: '/channel/keys/$id',
  validateSearch: listSearch.extend({ status: z.coerce.number().int().min(1).max(3).optional().catch(undefined) }),
  ...adminPage('channelKeys', () => import('../features/channels/keys/keys-page.tsx').then((file) => file.KeysPage)),
})

const tokens = createRoute({
  getParentRoute,
  path: '/token',
  validateSearch: listSearch.extend({ order: z.enum(['remain_quota', 'used_quota']).optional().catch(undefined) }),
  ...privatePage('tokens', () => import('../features/tokens/tokens-page.tsx').then((file) => file.TokensPage)),
})

const userTokens = createRoute({
  getParentRoute,
  path: '/token/all',
  validateSearch: userTokenSearch,
  ...adminPage('userTokens', () =>
    import('../features/tokens/all/user-tokens-page.tsx').then((file) => file.UserTokensPage),
  ),
})

const tokenAdd = createRoute({
  getParentRoute,
  path: '/token/add',
  ...privatePage('tokenAdd', () => import('../features/tokens/token-form-page.tsx').then((file) => file.TokenAddPage)),
})

const tokenEdit = createRoute({
  getParentRoute,
  path: '/token/edit/$id',
  ...privatePage('tokenEdit', () =>
    import('../features/tokens/token-form-page.tsx').then((file) => file.TokenEditPage),
  ),
})

const connect = createRoute({
  getParentRoute,
  path: '/connect',
  validateSearch: z.object({
    token: z.coerce.number().int().min(1).optional().catch(undefined),
    app: text,
    model: text,
  }),
  ...privatePage('connect', () => import('../features/connect/connect-page.tsx').then((file) => file.ConnectPage)),
})

const redemptions = createRoute({
  getParentRoute,
  path: '/redemption',
  validateSearch: listSearch,
  ...adminPage('redemptions', () =>
    import('../features/redemptions/redemptions-page.tsx').then((file) => file.RedemptionsPage),
  ),
})

const redemptionAdd = createRoute({
  getParentRoute,
  path: '/redemption/add',
  ...adminPage('redemptionAdd', () =>
    import('../features/redemptions/redemption-form-page.tsx').then((file) => file.RedemptionAddPage),
  ),
})

const redemptionEdit = createRoute({
  getParentRoute,
  path: '/redemption/edit/$id',
  ...adminPage('redemptionEdit', () =>
    import('../features/redemptions/redemption-form-page.tsx').then((file) => file.RedemptionEditPage),
  ),
})

const budgetTarget = {
  scope: z.enum(['key', 'user', 'group', 'channel']).optional().catch(undefined),
  target: z.coerce.string().optional().catch(undefined),
}

const budgets = createRoute({
  getParentRoute,
  path: '/budget',
  validateSearch: listSearch.omit({ keyword: true }).extend(budgetTarget),
  ...privatePage('budgets', () => import('../features/budgets/budgets-page.tsx').then((file) => file.BudgetsPage)),
})

const budgetAdd = createRoute({
  getParentRoute,
  path: '/budget/add',
  validateSearch: z.object(budgetTarget),
  ...privatePage('budgetAdd', () =>
    import('../features/budgets/budget-form-page.tsx').then((file) => file.BudgetAddPage),
  ),
})

const budgetEdit = createRoute({
  getParentRoute,
  path: '/budget/edit/$id',
  ...privatePage('budgetEdit', () =>
    import('../features/budgets/budget-form-page.tsx').then((file) => file.BudgetEditPage),
  ),
})

const users = createRoute({
  getParentRoute,
  path: '/user',
  validateSearch: listSearch.extend({
    order: z.enum(['quota', 'used_quota', 'request_count']).optional().catch(undefined),
  }),
  ...adminPage('users', () => import('../features/users/users-page.tsx').then((file) => file.UsersPage)),
})

const userAdd = createRoute({
  getParentRoute,
  path: '/user/add',
  ...adminPage('userAdd', () => import('../features/users/user-add-page.tsx').then((file) => file.UserAddPage)),
})

const profile = createRoute({
  getParentRoute,
  path: '/user/edit',
  ...privatePage('profile', () => import('../features/users/user-edit-page.tsx').then((file) => file.ProfilePage)),
})

const userEdit = createRoute({
  getParentRoute,
  path: '/user/edit/$id',
  ...adminPage('userEdit', () => import('../features/users/user-edit-page.tsx').then((file) => file.UserEditPage)),
})

const settings = createRoute({
  getParentRoute,
  path: '/setting',
  validateSearch: z.object({
    tab: z.enum(['personal', 'operation', 'system', 'other']).optional().catch(undefined),
  }),
  ...privatePage('settings', () => import('../features/settings/settings-page.tsx').then((file) => file.SettingsPage)),
})

const topup = createRoute({
  getParentRoute,
  path: '/topup',
  ...privatePage('topup', () => import('../features/topup/topup-page.tsx').then((file) => file.TopupPage)),
})

const logs = createRoute({
  getParentRoute,
  path: '/log',
  // `start` and `end` are unix seconds; an absent `end` is one hour ahead of now, an absent `start` has no bound.
  validateSearch: listSearch.omit({ keyword: true }).extend({
    type: z.coerce.number().int().min(0).optional().catch(undefined),
    token_name: text,
    model_name: text,
    session: text,
    request_id: text,
    username: text,
    channel: z.coerce.number().int().min(1).optional().catch(undefined),
    outcome: z.enum(OUTCOMES).optional().catch(undefined),
    min_quota: z.coerce.number().int().min(1).optional().catch(undefined),
    min_elapsed: z.coerce.number().int().min(1).optional().catch(undefined),
    // The router reads `true` of an address as a truth value.
    stream: z.coerce
      .string()
      .pipe(z.enum(['true', 'false']))
      .optional()
      .catch(undefined),
    start: z.coerce.number().int().min(0).optional().catch(undefined),
    end: z.coerce.number().int().min(0).optional().catch(undefined),
    // The call whose panel is open.
    request: text,
  }),
  ...privatePage('logs', () => import('../features/logs/logs-page.tsx').then((file) => file.LogsPage)),
})

const analytics = createRoute({
  getParentRoute,
  path: '/analytics',
  validateSearch: z.object({
    ...{ ...usageView, by: text, step: text, compare: text },
    ...{ model: text, user: text, group: text, key: text, outcome: text },
    channel: z.coerce.number().int().min(1).optional().catch(undefined),
  }),
  ...privatePage('analytics', () =>
    import('../features/analytics/analytics-page.tsx').then((file) => file.AnalyticsPage),
  ),
})

const alerts = createRoute({
  getParentRoute,
  path: '/alert',
  validateSearch: z.object({ owner: text, tab: text, page: listSearch.shape.page }),
  ...privatePage('alerts', () => import('../features/alerts/alerts-page.tsx').then((file) => file.AlertsPage)),
})

/** One call, as somebody who has its request ID can write the address. */
const logOfCall = createRoute({
  getParentRoute,
  path: '/log/$request',
  ...privatePage('logs', () => import('../features/logs/logs-page.tsx').then((file) => file.LogsPage)),
  beforeLoad: ({ params: { request } }) => {
    throw redirect({ to: '/log', search: { request_id: request, request }, replace: true })
  },
})

const about = createRoute({
  getParentRoute,
  path: '/about',
  ...publicPage('about', () => import('../features/about/about-page.tsx').then((file) => file.AboutPage)),
})

const chat = createRoute({
  getParentRoute,
  path: '/chat',
  ...publicPage('chat', () => import('../features/chat/chat-page.tsx').then((file) => file.ChatPage)),
})

export const routeTree = root.addChildren([
  home,
  login,
  register,
  reset,
  resetConfirm,
  github,
  lark,
  channels,
  channelAdd,
  channelEdit,
  routing,
  channelKeys,
  tokens,
  userTokens,
  tokenAdd,
  tokenEdit,
  connect,
  redemptions,
  redemptionAdd,
  redemptionEdit,
  budgets,
  budgetAdd,
  budgetEdit,
  users,
  userAdd,
  profile,
  userEdit,
  settings,
  topup,
  logs,
  logOfCall,
  analytics,
  alerts,
  about,
  chat,
])
