import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Defaults, type RouteView } from '@tollgate/contract'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { IconSitemap } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { pathOf, type RoutePath, type RouteQuery, routeModels, routeView } from './queries.ts'
import { RoutePicker } from './route-picker.tsx'
import { RouteScreen } from './route-screen.tsx'

const route = getRouteApi('/route')

/** For a group and a model: the order of channels, their health, and the effect of changes. */
export function RoutesPage() {
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const group = search.group ?? Defaults.group
  const path = pathOf(search.path)
  const models = useQuery(routeModels(group))
  // Without a choice, the first model of the group: an empty screen would be no help.
  const model = search.model ?? models.data?.[0] ?? ''
  const view = useQuery(routeView({ group, model, path }))
  return (
    <Page
      filters={
        <RoutePicker
          {...{ group, model, path }}
          models={models.data ?? []}
          onChange={({ path: chosen, ...rest }) =>
            void navigate({
              // Another group may not have the model.
              search: (now) => ({
                ...now,
                ...(rest.group !== undefined && { model: undefined }),
                ...rest,
                ...(chosen !== undefined && { path: chosen === '' ? undefined : chosen }),
              }),
            })
          }
        />
      }
    >
      <Content {...{ group, model, path, models, view }} />
    </Page>
  )
}

interface ContentProps extends RouteQuery {
  path: RoutePath
  models: Loaded<string[]>
  view: Loaded<RouteView>
}

/** The part of a query that is shown. */
interface Loaded<Data> {
  data: Data | undefined
  isError: boolean
  error: unknown
  refetch: () => unknown
}

function Content({ group, model, path, models, view }: ContentProps) {
  const text = useText(routesText)
  if (models.isError) return <LoadFailed error={models.error} onRetry={() => void models.refetch()} />
  if (view.data === undefined && view.isError) {
    return <LoadFailed error={view.error} onRetry={() => void view.refetch()} />
  }
  if (model === '' && models.data !== undefined) {
    return (
      <EmptyState
        icon={<IconSitemap size={32} stroke={1.5} />}
        title={text.noModels}
        help={text.noModelsHelp}
        action={<ButtonLink to="/channel/add">{text.addChannel}</ButtonLink>}
      />
    )
  }
  if (view.data === undefined) return <Skeleton height={320} aria-busy />
  return <RouteScreen key={`${group} ${model}`} query={{ group, model, path }} view={view.data} />
}
