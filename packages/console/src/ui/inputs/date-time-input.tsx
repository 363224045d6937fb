import { Popover, TextInput } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { formatTimestamp, parseTimestamp } from '../../lib/format/time.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { IconButton } from '../layout/icon-button.tsx'
import { IconCalendar } from '../layout/icons.tsx'

const Calendar = lazy(() => import('./calendar.tsx').then(({ Calendar }) => ({ default: Calendar })))

interface DateTimeInputProps {
  label: string
  /** As typed; `parseTimestamp` validates it. */
  value: string
  onChange: (text: string) => void
  placeholder?: string
  description?: string
  error?: ReactNode
  'data-path'?: string
}

/** `YYYY-MM-DD HH:mm:ss`, typed or picked. The calendar is loaded on first use. */
export function DateTimeInput({ value, onChange, ...rest }: DateTimeInputProps) {
  const text = useText(commonText)
  const [opened, setOpened] = useState(false)
  const at = parseTimestamp(value)
  const calendar = (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus>
      <Popover.Target>
        <IconButton label={text.pickDate} onClick={() => setOpened(!opened)}>
          <IconCalendar size={16} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={<div style={{ width: 252, height: 264 }} />}>
          <Calendar
            seconds={at}
            onPick={(seconds) => {
              onChange(formatTimestamp(seconds))
              setOpened(false)
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
  return (
    <TextInput
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="off"
      spellCheck={false}
      rightSection={calendar}
      {...rest}
    />
  )
}
