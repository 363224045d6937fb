import { Switch } from '@mantine/core'
import { settingsText } from '../../text/settings.ts'
import { useText } from '../../text/text.ts'
import { useExternalLogin } from './queries.ts'

/** Only the super administrator decides this, and only for the own account. */
export function ExternalLogin({ on }: { on: boolean }) {
  const text = useText(settingsText)
  const change = useExternalLogin()
  return (
    <Switch label={text.external} description={text.externalHelp} checked={on} onChange={() => change.mutate(!on)} />
  )
}
