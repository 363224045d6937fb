import { Switch } from '@mantine/core'
import { optionsText } from '../../../text/options.ts'
import { useText } from '../../../text/text.ts'
import { confirm } from '../../../ui/feedback/dialogs.ts'
import { useWarned } from '../../../ui/feedback/use-warned.ts'
import { optionWarnings, useToggleOption } from '../queries.ts'
import { helpOf } from './option-help.ts'
import type { PlacedKey } from './sections.ts'

/** A switch is saved at once: it always shows the stored state. */
export function OptionToggle({ name, value }: { name: PlacedKey; value: string }) {
  const text = useText(optionsText)
  const toggle = useToggleOption()
  const { warned } = useWarned()
  const help = helpOf(text.help, name)
  const on = value === 'true'

  const flip = async () => {
    if (name === 'PasswordLoginEnabled' && on && !(await confirmNoPasswords(text))) return
    const change = { key: name, value: on ? 'false' : 'true' }
    warned({ ask: () => optionWarnings([change]), save: () => toggle.mutate(change) })
  }

  return (
    <Switch
      label={text.label[name]}
      {...(help !== undefined && { description: help })}
      checked={on}
      onChange={() => void flip()}
    />
  )
}

const confirmNoPasswords = (text: { passwordLoginAsk: string; passwordLoginHelp: string; passwordLoginOff: string }) =>
  confirm({
    title: text.passwordLoginAsk,
    help: text.passwordLoginHelp,
    confirmLabel: text.passwordLoginOff,
    danger: true,
  })
