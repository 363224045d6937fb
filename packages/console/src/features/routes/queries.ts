import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { options, ROUTE_PATHS, routes, type Sent } from '@tollgate/contract'
import { call } from '../../api/call.ts'
import { useSend } from '../../api/use-send.ts'

export type RoutePath = (typeof ROUTE_PATHS)[number]

export interface RouteQuery {
  group: string
  model: string
}

const REFETCH_MS = 15_000

/** The path in the URL, if it is a known one. */
export const pathOf = (text: string | undefined): RoutePath => ROUTE_PATHS.find((path) => path === text) ?? ''

export const routeModels = (group: string) =>
  queryOptions({
    queryKey: ['routes', 'models', group],
    queryFn: () => call(routes.models, { query: { group } }),
  })

/** Refetched while it is shown: health changes by itself. */
export const routeView = ({ group, model, path }: RouteQuery & { path: RoutePath }) =>
  queryOptions({
    queryKey: ['routes', 'view', group, model, path],
    queryFn: () => call(routes.view, { query: { group, model, path } }),
    refetchInterval: REFETCH_MS,
    enabled: model !== '',
  })

export const routeChoices = ({ group, model }: RouteQuery) =>
  queryOptions({
    queryKey: ['routes', 'choices', group, model],
    queryFn: () => call(routes.choices, { query: { group, model } }),
    refetchInterval: REFETCH_MS,
  })

type Change = Omit<Sent<typeof routes.change>['body'], 'preview'>

/** The effects of a change. Errors are shown in the dialog. */
export const changePreview = (change: Change) =>
  queryOptions({
    queryKey: ['routes', 'preview', change],
    queryFn: () => call(routes.change, { body: { ...change, preview: true } }),
    meta: { silent: true },
    gcTime: 0,
    retry: false,
  })

export function useChangeRoute() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (change: Change) => call(routes.change, { body: { ...change, preview: false } }),
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: ['channels'] })
      await client.invalidateQueries({ queryKey: ['routes', 'view'] })
    },
  })
}

export function useSetPolicy() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof routes.setPolicy>['body']) => call(routes.setPolicy, { body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['options'] })
      void client.invalidateQueries({ queryKey: ['routes', 'view'] })
    },
  })
}

export const useDryRun = () =>
  useSend({ mutationFn: (body: Sent<typeof routes.dryRun>['body']) => call(routes.dryRun, { body }) })

export function useSaveRetries() {
  const client = useQueryClient()
  return useSend({
    mutationFn: async (values: Partial<Record<'RetryTimes' | 'RetrySeconds', number>>) => {
      for (const [key, value] of Object.entries(values)) await call(options.update, { body: { key, value } })
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['options'] })
      void client.invalidateQueries({ queryKey: ['routes', 'view'] })
    },
  })
}
