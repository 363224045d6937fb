import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { options, ROUTE_PATHS, routes, type Sent } from '@tollgate/contract'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { useSend } from '../../api/use-send.ts'
import { withLabels } from '../../lib/format/with-labels.ts'
import { optionsText } from '../../text/options.ts'
import { textNow } from '../../text/text.ts'

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
    meta: { failure: named },
    // Also after a refusal: somebody else has changed what is shown.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['options'] })
      void client.invalidateQueries({ queryKey: ['routes', 'view'] })
    },
  })
}

/** The server names a setting by its key. */
const named = (message: string) => withLabels(message, textNow(optionsText))

/** What is shown is refetched after a refusal, and replaces what was typed; after a failure of the network that stays. */
export const isRefused = (error: unknown) => error instanceof ApiError && error.status === 200

export const useDryRun = () =>
  useSend({ mutationFn: (body: Sent<typeof routes.dryRun>['body']) => call(routes.dryRun, { body }) })

export interface RetryChange {
  key: 'RetryTimes' | 'RetrySeconds'
  value: number
  /** The value that was shown when the change began. */
  base: number
}

export function useSaveRetries() {
  const client = useQueryClient()
  return useSend({
    mutationFn: async (changes: readonly RetryChange[]) => {
      for (const { key, value, base } of changes)
        await call(options.update, { body: { key, value, base: String(base) } })
    },
    meta: { failure: named },
    // Also after a refusal: somebody else has changed what is shown.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['options'] })
      void client.invalidateQueries({ queryKey: ['routes', 'view'] })
    },
  })
}
