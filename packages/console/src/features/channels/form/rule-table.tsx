import { Button, Input, PasswordInput, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import { IconButton } from '../../../ui/layout/icon-button.tsx'
import { IconPlus, IconTrash } from '../../../ui/layout/icons.tsx'
import type { RuleRow } from './rule-rows.ts'
import classes from './rule-table.module.css'

interface RuleTableProps<Action extends string> {
  label: string
  help: string
  /** The columns for the target and the value. */
  target: string
  value: string
  /** The first is the default of a new row. */
  actions: readonly [{ value: Action; label: string }, ...{ value: Action; label: string }[]]
  rows: readonly RuleRow<Action>[]
  onChange: (rows: RuleRow<Action>[]) => void
  /** Hides the values while typing, and says which targets have a stored one. */
  isStored?: (target: string) => boolean
  error?: ReactNode
  'data-path': string
}

/** Rules as rows: target, action and value. */
export function RuleTable<Action extends string>(props: RuleTableProps<Action>) {
  const { label, help, target, value, actions, rows, onChange, isStored, error } = props
  const text = useText(channelsText)
  const common = useText(commonText)
  const change = (id: number, part: Partial<RuleRow<Action>>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)))
  const add = () => {
    const id = Math.max(-1, ...rows.map((row) => row.id)) + 1
    onChange([...rows, { id, target: '', action: actions[0].value, value: '' }])
  }
  return (
    <Input.Wrapper label={label} labelElement="div" description={help} error={error} inputWrapperOrder={ORDER}>
      <fieldset className={classes.table} aria-label={label}>
        {rows.map((row, index) => {
          const valueProps = {
            'aria-label': value,
            placeholder: isStored?.(row.target) === true ? text.secretKeep : value,
            value: row.value,
            disabled: row.action === 'remove',
          }
          return (
            <div key={row.id} className={classes.row}>
              <TextInput
                aria-label={target}
                placeholder={target}
                value={row.target}
                spellCheck={false}
                {...(index === 0 && { 'data-path': props['data-path'] })}
                onChange={(event) => change(row.id, { target: event.currentTarget.value })}
              />
              <Select
                aria-label={text.ruleAction}
                data={[...actions]}
                value={row.action}
                allowDeselect={false}
                onChange={(chosen) => {
                  const action = actions.find((one) => one.value === chosen)?.value
                  if (action !== undefined) change(row.id, { action })
                }}
              />
              {isStored === undefined ? (
                <TextInput
                  {...valueProps}
                  spellCheck={false}
                  onChange={(event) => change(row.id, { value: event.currentTarget.value })}
                />
              ) : (
                <PasswordInput
                  {...valueProps}
                  autoComplete="new-password"
                  visibilityToggleButtonProps={{ 'aria-label': common.show }}
                  onChange={(event) => change(row.id, { value: event.currentTarget.value })}
                />
              )}
              <IconButton
                label={text.ruleRemove(row.target || '…')}
                onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
              >
                <IconTrash size={16} />
              </IconButton>
            </div>
          )
        })}
        <div>
          <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
            {text.mappingAdd}
          </Button>
        </div>
      </fieldset>
    </Input.Wrapper>
  )
}

const ORDER = ['label', 'description', 'input', 'error'] as const satisfies string[]
