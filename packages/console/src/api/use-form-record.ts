import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from './api-error.ts'

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

/**
 * What an edit is based on: the record that the form was opened with. The server refuses to overwrite what somebody else has saved
 * since, and says what that is; saving again is then based on it, and overwrites it.
 */
export function useEditBase<Stored extends object>(opened: Stored | undefined) {
  const [newer, setNewer] = useState<{ than: Stored | undefined; members: object }>({ than: opened, members: {} })
  const told = newer.than === opened ? newer.members : {}
  return {
    withBase: <Edit extends object>(edit: Edit) => {
      const shown = Object.entries({ ...opened, ...told })
      return { ...edit, base: Object.fromEntries(shown.filter(([name]) => name !== 'id' && name in edit)) }
    },
    onError: (error: Error) => {
      if (!(error instanceof ApiError) || error.changed === undefined) return
      setNewer({ than: opened, members: { ...told, ...error.changed } })
    },
  }
}
