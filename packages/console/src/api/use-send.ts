import { hashKey, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'

/** So long after the first, the same again is still the second half of a double click. */
export const DOUBLE_CLICK_MS = 300

/**
 * A write: `useMutation` that sends once. The same again, while the first is on its way or within a double click, is
 * dropped: on a fast server the answer comes between the two halves of a double click.
 */
export function useSend<Data, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Context>,
) {
  const [once] = useState(() => sendOnce(() => performance.now()))
  const mutation = useMutation({
    ...options,
    onSettled: (data, error, variables, ...rest) => {
      once.settled(wishOf(variables), error === null)
      return options.onSettled?.(data, error, variables, ...rest)
    },
  })
  const { mutate: send } = mutation
  const mutate = useCallback(
    (...wish: Parameters<typeof send>) => {
      if (!once.drops(wishOf(wish[0]))) send(...wish)
    },
    [once, send],
  )
  return { ...mutation, mutate }
}

const wishOf = (variables: unknown) => hashKey([variables])

/** Which wishes are the same one again. */
export function sendOnce(now: () => number) {
  const pending = new Set<string>()
  const sentAt = new Map<string, number>()
  return {
    drops(wish: string) {
      const sent = sentAt.get(wish)
      if (pending.has(wish) || (sent !== undefined && now() - sent < DOUBLE_CLICK_MS)) return true
      // Whoever wishes for something else in between means the first one anew.
      for (const other of sentAt.keys()) if (!pending.has(other)) sentAt.delete(other)
      pending.add(wish)
      sentAt.set(wish, now())
      return false
    },
    settled(wish: string, succeeded: boolean) {
      pending.delete(wish)
      if (!succeeded) sentAt.delete(wish)
    },
  }
}
