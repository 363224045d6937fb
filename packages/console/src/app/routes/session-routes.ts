import { createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { word } from '../../lib/lists/list-search.ts'
import { publicPage } from '../pages.ts'
import { getParentRoute } from './root-route.ts'

const login = createRoute({
  getParentRoute,
  path: '/login',
  validateSearch: z.object({ expired: word, from: word }),
  ...publicPage('login', () => import('../../features/session/login-page.tsx').then((file) => file.LoginPage)),
})

const register = createRoute({
  getParentRoute,
  path: '/register',
  validateSearch: z.object({ aff: word }),
  ...publicPage('register', () => import('../../features/session/register-page.tsx').then((file) => file.RegisterPage)),
})

const reset = createRoute({
  getParentRoute,
  path: '/reset',
  ...publicPage('reset', () => import('../../features/session/reset-page.tsx').then((file) => file.ResetPage)),
})

const resetConfirm = createRoute({
  getParentRoute,
  path: '/user/reset',
  validateSearch: z.object({ email: word, token: word }),
  ...publicPage('resetConfirm', () =>
    import('../../features/session/reset-confirm-page.tsx').then((file) => file.ResetConfirmPage),
  ),
})

const callbackSearch = z.object({ code: word, state: word })

const github = createRoute({
  getParentRoute,
  path: '/oauth/github',
  validateSearch: callbackSearch,
  ...publicPage('oauth', () => import('../../features/session/oauth-page.tsx').then((file) => file.GitHubCallbackPage)),
})

const lark = createRoute({
  getParentRoute,
  path: '/oauth/lark',
  validateSearch: callbackSearch,
  ...publicPage('oauth', () => import('../../features/session/oauth-page.tsx').then((file) => file.LarkCallbackPage)),
})

export const sessionRoutes = [login, register, reset, resetConfirm, github, lark] as const
