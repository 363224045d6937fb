import { Autocomplete, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { availableModels } from '../../../api/available-models.ts'
import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import { IconAlertTriangle } from '../../../ui/layout/icons.tsx'
import { AddName } from '../../../ui/limits/add-name.tsx'
import limits from '../../../ui/limits/limits.module.css'
import { NamedPart } from '../../../ui/limits/named-part.tsx'
import type { FieldProps } from '../options/field-props.ts'
import type { PlacedKey } from '../options/sections.ts'
import { TableOrJson } from '../options/table-or-json.tsx'
import { aliasRows, tableText } from './model-rows.ts'

/** Model aliases. A row begins without a model, which has to be chosen before it is saved. */
export function AliasesField(field: FieldProps & { name: PlacedKey }) {
  const text = useText(optionTablesText).aliases
  const { data: offered } = useQuery(availableModels)
  const models = offered ?? []
  const rows = aliasRows(field.value)
  const change = (next: readonly (readonly [string, string])[]) => field.onChange(tableText(next))
  return (
    <TableOrJson {...field} rows={rows?.length} tableOff={text.tableOff} laidOut={() => tableText(rows ?? [])}>
      <div className={limits.field}>
        {rows?.length === 0 && (
          <Text size="sm" c="dimmed">
            {text.empty}
          </Text>
        )}
        {rows?.map(([alias, model]) => (
          <NamedPart key={alias} name={alias} onRemove={() => change(rows.filter(([name]) => name !== alias))}>
            <Autocomplete
              label={text.model}
              data={models}
              limit={100}
              value={model}
              required
              placeholder={text.choose}
              data-fault={model === '' || undefined}
              autoFocus={model === ''}
              spellCheck={false}
              description={model !== '' && offered?.includes(model) === false && <NotOffered text={text.notOffered} />}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              onChange={(next) => change(rows.map((row) => (row[0] === alias ? [alias, next] : row)))}
            />
          </NamedPart>
        ))}
        <AddName
          label={text.name}
          placeholder={text.add}
          names={[]}
          taken={(name) => rows?.some(([alias]) => alias === name) ?? false}
          onAdd={(name) => change([...(rows ?? []), [name, '']])}
        />
      </div>
    </TableOrJson>
  )
}

/** Saved all the same: the channel may come later. */
function NotOffered({ text }: { text: string }) {
  return (
    <span role="status">
      <IconAlertTriangle size={14} aria-hidden /> {text}
    </span>
  )
}
