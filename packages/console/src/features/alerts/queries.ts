import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { type AlertDeliveryState, type AlertOwner, alerts, type Sent } from '@tollgate/contract'
import { call, callPage } from '../../api/call.ts'
import { useSend } from '../../api/use-send.ts'

export const alertRules = (owner: AlertOwner) =>
  queryOptions({
    queryKey: ['alerts', 'rules', owner],
    queryFn: () => call(alerts.listRules, { query: { owner } }),
    placeholderData: keepPreviousData,
  })

export const alertDestinations = (owner: AlertOwner) =>
  queryOptions({
    queryKey: ['alerts', 'destinations', owner],
    queryFn: () => call(alerts.listDestinations, { query: { owner } }),
    placeholderData: keepPreviousData,
  })

export const alertDeliveries = (owner: AlertOwner, state: AlertDeliveryState | '') => (page: number) =>
  queryOptions({
    queryKey: ['alerts', 'deliveries', owner, state, page],
    queryFn: () => callPage(alerts.listDeliveries, { query: { owner, state, p: page } }),
  })

const useForgetAlerts = () => {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: ['alerts'] })
}

export function useCreateRule() {
  const onSuccess = useForgetAlerts()
  return useSend({
    mutationFn: (body: Sent<typeof alerts.createRule>['body']) => call(alerts.createRule, { body }),
    onSuccess,
  })
}

export function useUpdateRule() {
  const onSuccess = useForgetAlerts()
  return useSend({
    mutationFn: (body: Sent<typeof alerts.updateRule>['body']) => call(alerts.updateRule, { body }),
    onSuccess,
  })
}

export function useRemoveRule() {
  const onSuccess = useForgetAlerts()
  return useSend({ mutationFn: (id: number) => call(alerts.removeRule, { params: { id } }), onSuccess })
}

export function useCreateDestination() {
  const onSuccess = useForgetAlerts()
  return useSend({
    mutationFn: (body: Sent<typeof alerts.createDestination>['body']) => call(alerts.createDestination, { body }),
    onSuccess,
  })
}

export function useUpdateDestination() {
  const onSuccess = useForgetAlerts()
  return useSend({
    mutationFn: (body: Sent<typeof alerts.updateDestination>['body']) => call(alerts.updateDestination, { body }),
    onSuccess,
  })
}

export function useRemoveDestination() {
  const onSuccess = useForgetAlerts()
  return useSend({ mutationFn: (id: number) => call(alerts.removeDestination, { params: { id } }), onSuccess })
}

export function useTestDestination() {
  const onSuccess = useForgetAlerts()
  return useSend({ mutationFn: (id: number) => call(alerts.testDestination, { params: { id } }), onSuccess })
}
