import { MultiSelect, TagsInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Fallback, FallbackReason } from '@tollgate/contract'
import { availableModels } from '../../../api/available-models.ts'
import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import { AddName } from '../../../ui/limits/add-name.tsx'
import limits from '../../../ui/limits/limits.module.css'
import { NamedPart } from '../../../ui/limits/named-part.tsx'
import type { FieldProps } from '../options/field-props.ts'
import type { PlacedKey } from '../options/sections.ts'
import { TableOrJson } from '../options/table-or-json.tsx'
import { fallbackRows, tableText } from './model-rows.ts'

/** The default reasons: everything that is not the caller's fault. */
const USUAL: FallbackReason[] = ['no_channel', 'rate_limited', 'upstream_error', 'timeout']

/** Fallback models, and when they are used. A row begins without a model, which has to be chosen before it is saved. */
export function FallbacksField(field: FieldProps & { name: PlacedKey }) {
  const text = useText(optionTablesText).fallbacks
  const models = useQuery(availableModels).data ?? []
  const rows = fallbackRows(field.value)
  const change = (next: readonly (readonly [string, Fallback])[]) => field.onChange(tableText(next))
  const set = (model: string, part: Partial<Fallback>) =>
    change((rows ?? []).map((row) => (row[0] === model ? [model, { ...row[1], ...part }] : row)))
  return (
    <TableOrJson {...field} rows={rows?.length} tableOff={text.tableOff} laidOut={() => tableText(rows ?? [])}>
      <div className={limits.field}>
        {rows?.length === 0 && (
          <Text size="sm" c="dimmed">
            {text.empty}
          </Text>
        )}
        {rows?.map(([model, { to, on }]) => (
          <NamedPart key={model} name={model} onRemove={() => change(rows.filter(([name]) => name !== model))}>
            <TagsInput
              label={text.to}
              description={text.toHelp}
              data={models.filter((other) => other !== model)}
              limit={100}
              maxTags={5}
              value={to}
              required
              data-fault={to.length === 0 || undefined}
              autoFocus={to.length === 0}
              onChange={(next) => !next.includes(model) && set(model, { to: next })}
            />
            <MultiSelect
              label={text.on}
              data={FallbackReason.options.map((value) => ({ value, label: text.reasons[value] }))}
              value={on}
              onChange={(next) =>
                next.length > 0 && set(model, { on: FallbackReason.options.filter((each) => next.includes(each)) })
              }
            />
          </NamedPart>
        ))}
        <AddName
          label={text.name}
          placeholder={text.add}
          names={models}
          taken={(name) => rows?.some(([model]) => model === name) ?? false}
          onAdd={(name) => change([...(rows ?? []), [name, { to: [], on: USUAL }]])}
        />
      </div>
    </TableOrJson>
  )
}
