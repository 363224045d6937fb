import { type AnyRouter, useRouter } from '@tanstack/react-router'

type ListPath = '/channel' | '/token' | '/redemption' | '/budget' | '/user'

/** Which page stands at each place of the browser's history, as far as this tab has seen it. */
const visited = new Map<number, string>()

/** Once, where the router is made. */
export const rememberPlaces = (router: AnyRouter) =>
  router.subscribe('onResolved', ({ toLocation }) => visited.set(toLocation.state.__TSR_index, toLocation.pathname))

/**
 * Leaves a form for its list. Where the list is the page before, it is the same one: same search, page, order and
 * place on the screen. Unsaved changes are asked about unless they are `saved`.
 */
export function useBackToList(path: ListPath) {
  const router = useRouter()
  return ({ saved }: { saved: boolean }) => {
    const before = visited.get(router.state.location.state.__TSR_index - 1)
    if (before === path) return router.history.back({ ignoreBlocker: saved })
    void router.navigate({ to: path, ignoreBlocker: saved })
  }
}
