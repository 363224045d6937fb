import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { channels, tokens, users } from '@tollgate/contract'
import { callPage } from '../../api/call.ts'
import { useIsAdmin } from '../../lib/session/session-user.ts'

const PAUSE_MS = 300

interface Found {
  name: 'token' | 'channel' | 'user'
  things: { id: number; label: string; to: '/token/edit/$id' | '/channel/edit/$id' | '/user/edit/$id' }[]
}

/** Server results for a word, once typing pauses. */
export function useFound(word: string): Found[] {
  const admin = useIsAdmin()
  const [keyword] = useDebouncedValue(word.trim(), PAUSE_MS)
  const { data } = useQuery({
    queryKey: ['palette', admin, keyword],
    queryFn: () => find(keyword, admin),
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
  })
  return word.trim() === '' ? [] : (data ?? [])
}

async function find(keyword: string, admin: boolean): Promise<Found[]> {
  const query = { keyword, p: 0 }
  const [ownTokens, allChannels, allUsers] = await Promise.all([
    callPage(tokens.search, { query: { ...query, order: '' } }),
    admin ? callPage(channels.search, { query }) : undefined,
    admin ? callPage(users.search, { query: { ...query, order: '' } }) : undefined,
  ])
  return [
    { name: 'token', things: ownTokens.rows.map(({ id, name }) => ({ id, label: name, to: '/token/edit/$id' })) },
    {
      name: 'channel',
      things: (allChannels?.rows ?? []).map(({ id, name }) => ({ id, label: name, to: '/channel/edit/$id' })),
    },
    {
      name: 'user',
      things: (allUsers?.rows ?? []).map(({ id, username }) => ({ id, label: username, to: '/user/edit/$id' })),
    },
  ]
}
