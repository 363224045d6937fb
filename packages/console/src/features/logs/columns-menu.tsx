import { Button, Checkbox, Popover } from '@mantine/core'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { IconColumns3 } from '../../ui/layout/icons.tsx'
import { CHOICES, type Choice } from './log-view.ts'
import classes from './logs-page.module.css'

interface ColumnsMenuProps {
  choices: ReadonlySet<Choice>
  /** Administrators see whose call it was and which channel answered. */
  everyone: boolean
  onToggle: (choice: Choice) => void
}

/** Which columns the list has. */
export function ColumnsMenu({ choices, everyone, onToggle }: ColumnsMenuProps) {
  const text = useText(logsText)
  const offered = CHOICES.filter((choice) => everyone || (choice !== 'channel' && choice !== 'user'))
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={14} />}>
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
              checked={choices.has(choice)}
              onChange={() => onToggle(choice)}
            />
          ))}
        </fieldset>
        <p className={classes.keys}>{text.keysHelp}</p>
      </Popover.Dropdown>
    </Popover>
  )
}
