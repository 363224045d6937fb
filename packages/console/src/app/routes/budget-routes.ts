import { createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { listSearch, oneOf } from '../../lib/lists/list-search.ts'
import { privatePage } from '../pages.ts'
import { getParentRoute } from './root-route.ts'

const budgetTarget = {
  scope: oneOf(['key', 'user', 'group', 'channel']),
  target: z.coerce.string().optional().catch(undefined),
}

const budgets = createRoute({
  getParentRoute,
  path: '/budget',
  validateSearch: listSearch.omit({ keyword: true }).extend(budgetTarget),
  ...privatePage('budgets', () => import('../../features/budgets/budgets-page.tsx').then((file) => file.BudgetsPage)),
})

const budgetAdd = createRoute({
  getParentRoute,
  path: '/budget/add',
  validateSearch: z.object(budgetTarget),
  ...privatePage('budgetAdd', () =>
    import('../../features/budgets/budget-form-page.tsx').then((file) => file.BudgetAddPage),
  ),
})

const budgetEdit = createRoute({
  getParentRoute,
  path: '/budget/edit/$id',
  ...privatePage('budgetEdit', () =>
    import('../../features/budgets/budget-form-page.tsx').then((file) => file.BudgetEditPage),
  ),
})

export const budgetRoutes = [budgets, budgetAdd, budgetEdit] as const
