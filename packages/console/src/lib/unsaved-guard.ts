import { useBlocker } from '@tanstack/react-router'

/**
 * Asks before a changed form is left, by a link as well as by closing the tab. `proceed` and `reset` answer the
 * question while `asking` is true.
 */
export function useUnsavedGuard(changed: boolean) {
  const blocker = useBlocker({
    shouldBlockFn: () => changed,
    enableBeforeUnload: changed,
    withResolver: true,
  })
  return { asking: blocker.status === 'blocked', leave: () => blocker.proceed?.(), stay: () => blocker.reset?.() }
}
