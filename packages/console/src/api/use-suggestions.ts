import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { channels, tokens, users } from '@tollgate/contract'
import { useState } from 'react'
import { useIsAdmin } from '../lib/session/session-user.ts'
import { call, callPage } from './call.ts'

type Suggested = 'model' | 'user' | 'key' | 'channel'

interface Suggestion {
  /** What the filter takes: a name, or the number of a channel. */
  value: string
  label: string
}

const PAUSE_MS = 300

/** For the fields of a filter: what `SuggestInput` needs. */
export const useSuggestions = () => ({
  model: useSuggestion('model'),
  user: useSuggestion('user'),
  key: useSuggestion('key'),
  channel: useSuggestion('channel'),
})

/** The server is asked once the field is used, and again when typing pauses. */
function useSuggestion(of: Suggested) {
  const admin = useIsAdmin()
  const [typed, setTyped] = useState<string>()
  // The models are one list, which the field itself searches.
  const [word] = useDebouncedValue(of === 'model' ? '' : (typed ?? '').trim(), PAUSE_MS)
  const { data: options = [] } = useQuery({
    queryKey: [KEYS[of], 'suggestions', of, admin, word],
    queryFn: () => suggest[of](word, admin),
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // A field without suggestions still takes what is typed.
    meta: { silent: true },
  })
  // A channel's number is what the filter takes: names that contain it would only cover what is below.
  const isComplete = of === 'channel' && /^\d+$/.test((typed ?? '').trim())
  return { options: isComplete ? [] : options, onType: setTyped, unsearched: of === 'model' }
}

/** The nouns whose changes make suggestions old. */
const KEYS: Record<Suggested, string> = { model: 'channels', user: 'users', key: 'tokens', channel: 'channels' }

const suggest: Record<Suggested, (word: string, admin: boolean) => Promise<Suggestion[]>> = {
  model: async (_, admin) => named(await (admin ? call(channels.offeredModels) : call(users.availableModels))),
  user: async (keyword) =>
    named((await callPage(users.search, { query: { keyword, p: 0, order: '' } })).rows.map(({ username }) => username)),
  key: async (keyword, admin) => named((await keysNamed(keyword, admin)).map(({ name }) => name)),
  channel: async (keyword) =>
    (await callPage(channels.search, { query: { keyword, p: 0 } })).rows.map(({ id, name }) => ({
      value: String(id),
      label: `${name} #${id}`,
    })),
}

const keysNamed = async (keyword: string, admin: boolean) => {
  const query = { keyword, p: 0, order: '' as const }
  if (!admin) return (await callPage(tokens.search, { query })).rows
  return (await callPage(tokens.all, { query: { ...query, used_after: 0, used_before: 0 } })).rows
}

/** Two users may have tokens of one name. */
const named = (names: readonly string[]) =>
  [...new Set(names)].filter((name) => name !== '').map((name) => ({ value: name, label: name }))
