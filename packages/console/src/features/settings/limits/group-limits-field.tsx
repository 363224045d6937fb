import { Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { availableModels } from '../../../api/available-models.ts'
import { ownLimits } from '../../../api/own-limits.ts'
import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import { AddName } from '../../../ui/limits/add-name.tsx'
import limits from '../../../ui/limits/limits.module.css'
import { NamedPart } from '../../../ui/limits/named-part.tsx'
import { RateLimitsField } from '../../../ui/limits/rate-limits-field.tsx'
import type { FieldProps } from '../options/field-props.ts'
import type { PlacedKey } from '../options/sections.ts'
import { TableOrJson } from '../options/table-or-json.tsx'
import { type LimitRow, limitRows, limitText } from './limit-table.ts'

interface GroupLimitsFieldProps extends FieldProps {
  name: PlacedKey
  /** Existing groups; another name may be typed. */
  groups: readonly string[]
}

/** Limits for each user of a group, or for all of them together. */
export function GroupLimitsField({ groups, ...field }: GroupLimitsFieldProps) {
  const text = useText(optionTablesText).groupLimits
  const models = useQuery(availableModels).data ?? []
  const { data: own } = useQuery(ownLimits)
  const rows = limitRows(field.value)
  const change = (next: LimitRow[]) => field.onChange(limitText(next))
  const set = ({ name }: LimitRow, next: LimitRow['limits']) =>
    change((rows ?? []).map((one) => (one.name === name ? { ...one, limits: next } : one)))
  return (
    <TableOrJson {...field} rows={rows?.length} tableOff={text.tableOff} laidOut={() => limitText(rows ?? [])}>
      <div className={limits.field}>
        {rows?.length === 0 && (
          <Text size="sm" c="dimmed">
            {text.empty}
          </Text>
        )}
        {rows?.map((row) => (
          <NamedPart
            key={row.name}
            name={row.name}
            onRemove={() => change(rows.filter(({ name }) => name !== row.name))}
          >
            <Switch
              label={text.together}
              description={text.togetherHelp}
              checked={row.limits.together === true}
              onChange={({ currentTarget }) => set(row, { ...apart(row), ...(currentTarget.checked && TOGETHER) })}
            />
            <RateLimitsField
              value={apart(row)}
              models={models}
              onChange={(next) => set(row, { ...next, ...(row.limits.together === true && TOGETHER) })}
            />
          </NamedPart>
        ))}
        <AddName
          label={text.name}
          placeholder={text.add}
          names={groups}
          taken={(name) => rows?.some((row) => row.name === name) ?? false}
          onAdd={(name) => change([...(rows ?? []), { name, limits: {} }])}
        />
        {own?.shared === false && (
          <Text size="sm" c="dimmed">
            {text.apart}
          </Text>
        )}
      </div>
    </TableOrJson>
  )
}

const TOGETHER = { together: true } as const

/** The limits themselves, without `together`. */
function apart({ limits: { together: _, ...amounts } }: LimitRow) {
  return amounts
}
