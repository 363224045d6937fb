import { queryOptions, useQueryClient } from '@tanstack/react-query'
import {
  channels,
  isOptionKey,
  logs,
  type OptionKey,
  oauth,
  options,
  session,
  users,
  WARNED_OPTIONS,
  warnings,
} from '@tollgate/contract'
import { ask, call } from '../../api/call.ts'
import { ownUser } from '../../api/own-user.ts'
import { siteStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-send.ts'
import { withLabels } from '../../lib/format/with-labels.ts'
import { optionsText } from '../../text/options.ts'
import { settingsText } from '../../text/settings.ts'
import { textNow } from '../../text/text.ts'
import type { OptionChange } from './options/save-options.ts'

export interface StoredOptions {
  values: Partial<Record<OptionKey, string>>
  /** Secrets that have a value; the value itself is never sent here. */
  secretsSet: readonly string[]
}

export const storedOptions = queryOptions({
  queryKey: ['options'],
  queryFn: async (): Promise<StoredOptions> => {
    const { data, extra } = await ask(options.list)
    const known = data.flatMap(({ key, value }) => (isOptionKey(key) ? [[key, value] as const] : []))
    return { values: Object.fromEntries(known), secretsSet: extra.secrets_set }
  },
})

/** Models of enabled channels without a price. */
export const unpricedModels = queryOptions({
  queryKey: ['channels', 'unpriced'],
  queryFn: async () => (await call(channels.unpriced)).map(({ model }) => model),
})

export const putOption = ({ base, ...change }: OptionChange) =>
  call(options.update, { body: { ...change, ...(base !== undefined && { base }) } })

/** What these values would break. Most options cannot break anything, so they are not checked. */
export const optionWarnings = async (changes: readonly OptionChange[]) => {
  const asked = changes.filter(({ key }) => WARNED_OPTIONS.some((warned) => warned === key))
  return (await Promise.all(asked.map(({ key, value }) => call(warnings.option, { body: { key, value } })))).flat()
}

/** Refetches what other pages show of the settings. */
export function useAfterSaving() {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: storedOptions.queryKey })
    await client.invalidateQueries({ queryKey: siteStatus.queryKey })
    await client.invalidateQueries({ queryKey: ['groups'] })
    await client.invalidateQueries({ queryKey: ['channels'] })
  }
}

/** Changed optimistically and reverted when the server refuses. */
export function useToggleOption() {
  const client = useQueryClient()
  const { queryKey } = storedOptions
  return useSend({
    mutationFn: putOption,
    meta: { failure: (message) => withLabels(message, textNow(optionsText)) },
    onMutate: async ({ key, value }) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, (stored) => stored && { ...stored, values: { ...stored.values, [key]: value } })
      return { before }
    },
    onError: (_error, _change, context) => client.setQueryData(queryKey, context?.before),
    onSuccess: () => client.invalidateQueries({ queryKey: siteStatus.queryKey }),
  })
}

export const useClearLogs = () =>
  useSend({
    mutationFn: (target_timestamp: number) => call(logs.clear, { query: { target_timestamp } }),
    meta: { failure: (message) => textNow(settingsText).clearFailed(message) },
  })

export const useAccessToken = () => useSend({ mutationFn: () => call(users.accessToken) })

export const useAffiliateCode = () => useSend({ mutationFn: () => call(users.affiliateCode) })

export const useSendCode = () =>
  useSend({
    mutationFn: (query: { email: string; turnstile: string }) => call(session.verification, { query }),
  })

export function useBindEmail() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (query: { email: string; code: string }) => call(oauth.bindEmail, { query }),
    onSuccess: () => client.invalidateQueries({ queryKey: ownUser.queryKey }),
  })
}

export function useBindWechat() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (code: string) => call(oauth.bindWechat, { query: { code } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ownUser.queryKey }),
  })
}

/** For role 10 and above. */
export function useExternalLogin() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: { external_login: boolean; current_password?: string }) => call(users.updateSelf, { body }),
    onSuccess: (user) => client.setQueryData(ownUser.queryKey, user),
  })
}

export const useRemoveSelf = () => useSend({ mutationFn: () => call(users.removeSelf) })
