import { createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { count, listSearch, oneOf, word } from '../../lib/lists/list-search.ts'
import { userTokenSearch } from '../../lib/lists/user-token-search.ts'
import { adminPage, privatePage } from '../pages.ts'
import { getParentRoute } from './root-route.ts'

const tokens = createRoute({
  getParentRoute,
  path: '/token',
  validateSearch: listSearch.extend({ order: oneOf(['remain_quota', 'used_quota']) }),
  ...privatePage('tokens', () => import('../../features/tokens/tokens-page.tsx').then((file) => file.TokensPage)),
})

const userTokens = createRoute({
  getParentRoute,
  path: '/token/all',
  validateSearch: userTokenSearch,
  ...adminPage('userTokens', () =>
    import('../../features/tokens/all/user-tokens-page.tsx').then((file) => file.UserTokensPage),
  ),
})

const tokenAdd = createRoute({
  getParentRoute,
  path: '/token/add',
  ...privatePage('tokenAdd', () =>
    import('../../features/tokens/token-form-page.tsx').then((file) => file.TokenAddPage),
  ),
})

const tokenEdit = createRoute({
  getParentRoute,
  path: '/token/edit/$id',
  ...privatePage('tokenEdit', () =>
    import('../../features/tokens/token-form-page.tsx').then((file) => file.TokenEditPage),
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
  ...privatePage('connect', () => import('../../features/connect/connect-page.tsx').then((file) => file.ConnectPage)),
})

const models = createRoute({
  getParentRoute,
  path: '/model',
  validateSearch: listSearch.extend({ group: word }),
  ...privatePage('models', () => import('../../features/models/models-page.tsx').then((file) => file.ModelsPage)),
})

export const tokenRoutes = [tokens, userTokens, tokenAdd, tokenEdit, connect, models] as const
