import { Button, type ButtonProps, Checkbox, Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconColumns3 } from '../layout/icons.tsx'
import classes from './columns-menu.module.css'

interface ColumnsMenuProps<Choice extends string> {
  /** The optional columns, in their order. */
  offered: readonly Choice[]
  chosen: ReadonlySet<Choice>
  text: { columns: string; choices: Readonly<Record<Choice, string>> }
  size?: ButtonProps['size']
  onToggle: (choice: Choice) => void
  /** Below the columns. */
  children?: ReactNode
}

/** Chooses the columns of a list. */
export function ColumnsMenu<Choice extends string>(props: ColumnsMenuProps<Choice>) {
  const { offered, chosen, text, size = 'sm', onToggle, children } = props
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size={size} leftSection={<IconColumns3 size={size === 'xs' ? 14 : 16} />}>
          {text.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset className={classes.columns} aria-label={text.columns}>
          {offered.map((choice) => (
            <Checkbox
              key={choice}
              size="xs"
              label={text.choices[choice]}
              checked={chosen.has(choice)}
              onChange={() => onToggle(choice)}
            />
          ))}
        </fieldset>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
