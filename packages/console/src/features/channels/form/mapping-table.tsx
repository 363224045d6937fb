import { Button, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { IconButton } from '../../../ui/layout/icon-button.tsx'
import { IconArrowRight, IconPlus, IconTrash } from '../../../ui/layout/icons.tsx'
import { type MappingRow, mappingText } from './mapping.ts'
import classes from './mapping-table.module.css'

/** Incomplete rows are kept here; only rows with a name on the left are part of the text. */
export function MappingTable({ rows, onChange }: { rows: MappingRow[]; onChange: (text: string) => void }) {
  const text = useText(channelsText)
  const nextId = useRef(0)
  const withId = (row: MappingRow) => ({ ...row, id: nextId.current++ })
  const [edited, setEdited] = useState(() => rows.map(withId))

  const set = (next: typeof edited) => {
    setEdited(next)
    onChange(mappingText(next))
  }
  const change = (id: number, part: Partial<MappingRow>) =>
    set(edited.map((row) => (row.id === id ? { ...row, ...part } : row)))

  return (
    <div className={classes.table}>
      {edited.map(({ id, from, to }) => (
        <div key={id} className={classes.row}>
          <TextInput
            aria-label={text.mappingFrom}
            placeholder={text.mappingFrom}
            value={from}
            spellCheck={false}
            onChange={(event) => change(id, { from: event.currentTarget.value })}
          />
          <IconArrowRight className={classes.arrow} size={16} aria-hidden />
          <TextInput
            aria-label={text.mappingTo}
            placeholder={text.mappingTo}
            value={to}
            spellCheck={false}
            onChange={(event) => change(id, { to: event.currentTarget.value })}
          />
          <IconButton
            label={text.mappingRemove(from || '…')}
            onClick={() => set(edited.filter((row) => row.id !== id))}
          >
            <IconTrash size={16} />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setEdited([...edited, withId({ from: '', to: '' })])}
        >
          {text.mappingAdd}
        </Button>
      </div>
    </div>
  )
}
