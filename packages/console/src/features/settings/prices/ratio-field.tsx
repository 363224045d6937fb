import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import type { FieldProps } from '../options/field-props.ts'
import type { PlacedKey } from '../options/sections.ts'
import { TableOrJson } from '../options/table-or-json.tsx'
import { RatioEditor } from './ratio-editor.tsx'
import { ratioRows, ratioText } from './ratio-table.ts'

interface RatioFieldProps extends FieldProps {
  name: PlacedKey
  fallback: number
}

/** Names and factors. */
export function RatioField({ fallback, ...field }: RatioFieldProps) {
  const { name, label, value, onChange } = field
  const text = useText(optionTablesText).ratio
  const rows = ratioRows(value)
  return (
    <TableOrJson {...field} rows={rows?.length} tableOff={text.tableOff} laidOut={() => ratioText(rows ?? [])}>
      <RatioEditor
        name={name}
        label={label}
        rows={rows ?? []}
        fallback={fallback}
        onChange={(next) => onChange(ratioText(next))}
      />
    </TableOrJson>
  )
}
