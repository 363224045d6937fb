import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { OUTCOMES } from '@tollgate/contract'
import { z } from 'zod'
import { channelSearch } from '../lib/channel-search.ts'
import { count, countOrNone, listSearch, mark, oneOf, word } from '../lib/list-search.ts'
import { userTokenSearch } from '../lib/user-token-search.ts'
import { adminPage, privatePage, publicPage } from './pages.ts'
import { Shell } from './shell/shell.tsx'

/* Every URL of the console. A page's code is fetched on navigation. */

const root = createRootRoute({ component: Shell })
const getParentRoute = () => root
// Range, metric and split: the pages validate them, so that other pages need not load that code.
const usageView = { range: word, from: word, to: word, metric: word, split: word }

const home = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: z.object(usageView),
  ...publicPage('home', () => import('../features/home/home-page.tsx').then((file) => file.HomePage)),
})

const login = createRoute({
  getParentRoute,
  path: '/login',
  validateSearch: z.object({ expired: word, from: word }),
  ...publicPage('login', () => import('../features/session/login-page.tsx').then((file) => file.LoginPage)),
})

const register = createRoute({
  getParentRoute,
  path: '/register',
  validateSearch: z.object({ aff: word }),
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
  validateSearch: z.object({ email: word, token: word }),
  ...publicPage('resetConfirm', () =>
    import('../features/session/reset-confirm-page.tsx').then((file) => file.ResetConfirmPage),
  ),
})

const callbackSearch = z.object({ code: word, state: word })

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
  validateSearch: z.object({ group: word, model: word, path: word }),
  ...adminPage('routes', () => import('../features/routes/routes-page.tsx').then((file) => file.RoutesPage)),
})

const channelKeys = createRoute({
  getParentRoute,
  path: '/channel/keys/$id',
  validateSearch: listSearch.extend({ status: count(3) }),
  ...adminPage('channelKeys', () => import('../features/channels/keys/keys-page.tsx').then((file) => file.KeysPage)),
})

const modelLists = createRoute({
  getParentRoute,
  path: '/channel/models',
  validateSearch: listSearch.extend({ channel: count() }),
  ...adminPage('modelLists', () =>
    import('../features/channels/model-lists/model-lists-page.tsx').then((file) => file.ModelListsPage),
  ),
})

const tokens = createRoute({
  getParentRoute,
  path: '/token',
  validateSearch: listSearch.extend({ order: oneOf(['remain_quota', 'used_quota']) }),
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
    token: count(),
    app: word,
    model: word,
  }),
  ...privatePage('connect', () => import('../features/connect/connect-page.tsx').then((file) => file.ConnectPage)),
})

const models = createRoute({
  getParentRoute,
  path: '/model',
  validateSearch: listSearch,
  ...privatePage('models', () => import('../features/models/models-page.tsx').then((file) => file.ModelsPage)),
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
  scope: oneOf(['key', 'user', 'group', 'channel']),
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
    order: oneOf(['quota', 'used_quota', 'request_count']),
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
    tab: oneOf(['personal', 'operation', 'system', 'other']),
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
    type: countOrNone,
    token_name: word,
    model_name: word,
    session: word,
    request_id: word,
    username: word,
    // 0: entries without a channel.
    channel: countOrNone,
    outcome: oneOf([...OUTCOMES, 'failed']),
    min_quota: count(),
    min_elapsed: count(),
    // The router parses `true` in a URL as a boolean.
    stream: z.coerce
      .string()
      .pipe(z.enum(['true', 'false']))
      .optional()
      .catch(undefined),
    ...{ no_model: mark, no_token: mark },
    start: countOrNone,
    end: countOrNone,
    // The call whose panel is open.
    request: word,
  }),
  ...privatePage('logs', () => import('../features/logs/logs-page.tsx').then((file) => file.LogsPage)),
})

const analytics = createRoute({
  getParentRoute,
  path: '/analytics',
  validateSearch: z.object({
    ...{ ...usageView, by: word, step: word, compare: word },
    ...{ model: word, user: word, group: word, key: word, outcome: word },
    ...{ no_model: mark, no_key: mark },
    channel: countOrNone,
  }),
  ...privatePage('analytics', () =>
    import('../features/analytics/analytics-page.tsx').then((file) => file.AnalyticsPage),
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
  ...privatePage('alerts', () => import('../features/alerts/alerts-page.tsx').then((file) => file.AlertsPage)),
})

/** One call, as a URL that can be written by hand from its request ID. */
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
  modelLists,
  tokens,
  userTokens,
  tokenAdd,
  tokenEdit,
  connect,
  models,
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
