import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { availableModels } from '../../api/available-models.ts'
import { tokenById } from '../../api/token-by-id.ts'
import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { IconKey } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { ConnectSkeleton } from './connect-skeleton.tsx'
import { Connection } from './connection.tsx'
import { preselected } from './key-models.ts'
import { keyChoices } from './queries.ts'

const route = getRouteApi('/connect')

/** Ready settings for programs with one key, and a test call. */
export function ConnectPage() {
  const text = useText(connectText)
  const { token: asked } = route.useSearch()
  const newest = useQuery({ ...keyChoices(''), enabled: asked === undefined })
  const named = useQuery({ ...tokenById(asked ?? 0, useText(tokensText).missing), enabled: asked !== undefined })
  const models = useQuery(availableModels)

  const [failed] = [asked === undefined ? newest : named, models].filter((query) => query.isError)
  if (failed !== undefined) {
    const back = <ButtonLink to="/connect">{text.backToConnect}</ButtonLink>
    return <LoadFailed error={failed.error} onRetry={() => void failed.refetch()} back={back} />
  }
  const keys = asked === undefined ? newest.data?.rows : named.data && [named.data]
  if (keys === undefined || models.data === undefined) return <ConnectSkeleton />
  const token = preselected(keys)
  if (token === undefined) {
    return (
      <EmptyState
        icon={<IconKey size={32} stroke={1.5} />}
        title={text.noToken}
        help={text.noTokenHelp}
        action={<ButtonLink to="/token/add">{text.noTokenAction}</ButtonLink>}
      />
    )
  }
  return <Connection token={token} offered={models.data} />
}
