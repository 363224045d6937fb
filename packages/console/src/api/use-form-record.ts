import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * The stored record that a form is opened with, not what a list showed a while ago. It stays the same under the form: only what differs
 * from it is saved, and of an amount only the difference.
 */
export function useFormRecord<Stored, Key extends QueryKey>(options: UseQueryOptions<Stored, Error, Stored, Key>) {
  const fresh = { ...options, staleTime: 0, gcTime: 0, refetchOnReconnect: false }
  const { data: newest, isError, error, refetch } = useQuery(fresh)
  const [opened, setOpened] = useState<{ name: string; record: Stored }>()
  const name = JSON.stringify(options.queryKey)
  if (newest !== undefined && opened?.name !== name) setOpened({ name, record: newest })
  const data = opened?.name === name ? opened.record : undefined
  return { data, isError: isError && data === undefined, error, refetch }
}
