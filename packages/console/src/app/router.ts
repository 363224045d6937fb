import { createRouter } from '@tanstack/react-router'
import { rememberPlaces } from '../lib/lists/back-to-list.ts'
import { BrokenPage } from './broken-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { routeTree } from './routes.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  // A parameter that the page does not know is no filter of its list.
  search: { strict: true },
  defaultPreload: 'intent',
  // The placeholder is for slow networks; on a fast one it would only flicker.
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: BrokenPage,
  scrollRestoration: true,
})

rememberPlaces(router)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
