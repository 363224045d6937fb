import { accountRoutes } from './routes/account-routes.ts'
import { budgetRoutes } from './routes/budget-routes.ts'
import { channelRoutes } from './routes/channel-routes.ts'
import { root } from './routes/root-route.ts'
import { sessionRoutes } from './routes/session-routes.ts'
import { siteRoutes } from './routes/site-routes.ts'
import { tokenRoutes } from './routes/token-routes.ts'
import { usageRoutes } from './routes/usage-routes.ts'

/** Every URL of the console. A page's code is fetched on navigation. */
export const routeTree = root.addChildren([
  ...siteRoutes,
  ...sessionRoutes,
  ...channelRoutes,
  ...tokenRoutes,
  ...accountRoutes,
  ...budgetRoutes,
  ...usageRoutes,
])
