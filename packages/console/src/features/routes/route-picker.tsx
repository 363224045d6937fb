import { NativeSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Defaults, ROUTE_PATHS } from '@tollgate/contract'
import { groupNames } from '../../api/group-names.ts'
import { commonText } from '../../text/common.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { pathOf, type RoutePath } from './queries.ts'
import classes from './routes.module.css'

interface RoutePickerProps {
  group: string
  model: string
  path: RoutePath
  models: readonly string[]
  onChange: (chosen: { group?: string; model?: string; path?: RoutePath }) => void
}

/** Group, model, and kind of call. */
export function RoutePicker({ group, model, path, models, onChange }: RoutePickerProps) {
  const text = useText(routesText)
  const common = useText(commonText)
  const { data: groups = [] } = useQuery(groupNames)
  return (
    <div className={classes.picker}>
      <NativeSelect
        label={text.group}
        data={[...new Set([Defaults.group, ...groups, group])]}
        value={group}
        onChange={({ currentTarget }) => onChange({ group: currentTarget.value })}
      />
      <Select
        label={text.model}
        data={[...new Set(model === '' ? models : [...models, model])]}
        value={model === '' ? null : model}
        onChange={(chosen) => chosen !== null && onChange({ model: chosen })}
        searchable
        allowDeselect={false}
        limit={100}
        nothingFoundMessage={common.nothingFound}
      />
      <NativeSelect
        label={text.path}
        data={ROUTE_PATHS.map((value) => ({ value, label: value === '' ? text.anyPath : value }))}
        value={path}
        onChange={({ currentTarget }) => onChange({ path: pathOf(currentTarget.value) })}
      />
    </div>
  )
}
