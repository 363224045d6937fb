import { useBlocker } from '@tanstack/react-router'

/**
 * Asks before a changed form is left, by a link or by closing the tab. `proceed` and `reset` answer the question while `asking` is
 * true.
 */
export function useUnsavedGuard(changed: boolean) {
  const blocker = useBlocker({
    // An anchor on the same page loses nothing.
    shouldBlockFn: ({ current, next }) =>
      changed && (current.pathname !== next.pathname || !sameSearch(current.search, next.search)),
    enableBeforeUnload: changed,
    withResolver: true,
  })
  return { asking: blocker.status === 'blocked', leave: () => blocker.proceed?.(), stay: () => blocker.reset?.() }
}

const sameSearch = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)
