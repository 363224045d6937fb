import { type AnyRouter, useRouter } from '@tanstack/react-router'

type ListPath = '/channel' | '/token' | '/redemption' | '/budget' | '/user'

/** The pages of this tab's history, by position. */
const visited = new Map<number, string>()

/** Called once, where the router is created. */
export const rememberPlaces = (router: AnyRouter) =>
  router.subscribe('onResolved', ({ toLocation }) => visited.set(toLocation.state.__TSR_index, toLocation.pathname))

/**
 * Leaves a form for its list. If the list is the previous page, it is restored: same search, page, order and scroll position. Unsaved
 * changes are asked about unless they are `saved`.
 */
export function useBackToList(path: ListPath) {
  const router = useRouter()
  return ({ saved }: { saved: boolean }) => {
    const before = visited.get(router.state.location.state.__TSR_index - 1)
    if (before === path) return router.history.back({ ignoreBlocker: saved })
    void router.navigate({ to: path, ignoreBlocker: saved })
  }
}
