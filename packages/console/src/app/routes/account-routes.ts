import { createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { listSearch, numbers, oneOf, word } from '../../lib/lists/list-search.ts'
import { adminPage, privatePage } from '../pages.ts'
import { getParentRoute } from './root-route.ts'

const users = createRoute({
  getParentRoute,
  path: '/user',
  validateSearch: listSearch.extend({
    order: oneOf(['quota', 'used_quota', 'request_count']),
    group: word,
    role: numbers.role,
    status: numbers.userStatus,
  }),
  ...adminPage('users', () => import('../../features/users/users-page.tsx').then((file) => file.UsersPage)),
})

const userAdd = createRoute({
  getParentRoute,
  path: '/user/add',
  ...adminPage('userAdd', () => import('../../features/users/user-add-page.tsx').then((file) => file.UserAddPage)),
})

const profile = createRoute({
  getParentRoute,
  path: '/user/edit',
  ...privatePage('profile', () => import('../../features/users/user-edit-page.tsx').then((file) => file.ProfilePage)),
})

const userEdit = createRoute({
  getParentRoute,
  path: '/user/edit/$id',
  ...adminPage('userEdit', () => import('../../features/users/user-edit-page.tsx').then((file) => file.UserEditPage)),
})

const settings = createRoute({
  getParentRoute,
  path: '/setting',
  validateSearch: z.object({
    tab: oneOf(['personal', 'operation', 'system', 'other']),
    /** The model whose price is to be set. */
    model: word,
  }),
  ...privatePage('settings', () =>
    import('../../features/settings/settings-page.tsx').then((file) => file.SettingsPage),
  ),
})

const topup = createRoute({
  getParentRoute,
  path: '/topup',
  ...privatePage('topup', () => import('../../features/topup/topup-page.tsx').then((file) => file.TopupPage)),
})

const redemptions = createRoute({
  getParentRoute,
  path: '/redemption',
  validateSearch: listSearch.extend({ status: numbers.redemptionStatus }),
  ...adminPage('redemptions', () =>
    import('../../features/redemptions/redemptions-page.tsx').then((file) => file.RedemptionsPage),
  ),
})

const redemptionAdd = createRoute({
  getParentRoute,
  path: '/redemption/add',
  ...adminPage('redemptionAdd', () =>
    import('../../features/redemptions/redemption-form-page.tsx').then((file) => file.RedemptionAddPage),
  ),
})

const redemptionEdit = createRoute({
  getParentRoute,
  path: '/redemption/edit/$id',
  ...adminPage('redemptionEdit', () =>
    import('../../features/redemptions/redemption-form-page.tsx').then((file) => file.RedemptionEditPage),
  ),
})

export const accountRoutes = [
  users,
  userAdd,
  profile,
  userEdit,
  settings,
  topup,
  redemptions,
  redemptionAdd,
  redemptionEdit,
] as const
