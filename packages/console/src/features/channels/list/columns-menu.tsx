import { Button, Checkbox, Popover } from '@mantine/core'
import { channelListText } from '../../../text/channel-list.ts'
import { useText } from '../../../text/text.ts'
import { IconColumns3 } from '../../../ui/layout/icons.tsx'
import classes from './channel-filters.module.css'
import { CHOICES, type Choice } from './channel-view.ts'

interface ColumnsMenuProps {
  choices: ReadonlySet<Choice>
  onToggle: (choice: Choice) => void
}

/** Which columns the list has. */
export function ColumnsMenu({ choices, onToggle }: ColumnsMenuProps) {
  const text = useText(channelListText)
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} />}>
          {text.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset className={classes.columns} aria-label={text.columns}>
          {CHOICES.map((choice) => (
            <Checkbox
              key={choice}
              size="xs"
              label={text.choices[choice]}
              checked={choices.has(choice)}
              onChange={() => onToggle(choice)}
            />
          ))}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  )
}
