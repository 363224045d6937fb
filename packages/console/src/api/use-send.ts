import { hashKey, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'

/** A repeat within this time is the second half of a double click. */
export const DOUBLE_CLICK_MS = 300

/**
 * A write: `useMutation` that sends once. A repeat while the first is pending or within a double click is dropped: on a fast server
 * the answer arrives between the two halves of a double click.
 */
export function useSend<Data, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Context>,
) {
  const [once] = useState(() => sendOnce(() => performance.now()))
  const mutation = useMutation({
    ...options,
    onSettled: (data, error, variables, ...rest) => {
      once.settled(requestKey(variables), error === null)
      return options.onSettled?.(data, error, variables, ...rest)
    },
  })
  const { mutate: send } = mutation
  const mutate = useCallback(
    (...args: Parameters<typeof send>) => {
      if (!once.drops(requestKey(args[0]))) send(...args)
    },
    [once, send],
  )
  return { ...mutation, mutate }
}

const requestKey = (variables: unknown) => hashKey([variables])

/** Detects repeated requests. */
export function sendOnce(now: () => number) {
  const pending = new Set<string>()
  const sentAt = new Map<string, number>()
  return {
    drops(key: string) {
      const sent = sentAt.get(key)
      if (pending.has(key) || (sent !== undefined && now() - sent < DOUBLE_CLICK_MS)) return true
      // After a different request in between, a repeat of the first is intended.
      for (const other of sentAt.keys()) if (!pending.has(other)) sentAt.delete(other)
      pending.add(key)
      sentAt.set(key, now())
      return false
    },
    settled(key: string, succeeded: boolean) {
      pending.delete(key)
      if (!succeeded) sentAt.delete(key)
    },
  }
}
