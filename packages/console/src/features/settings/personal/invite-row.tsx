import { Button } from '@mantine/core'
import { personalSettingsText } from '../../../text/personal-settings.ts'
import { useText } from '../../../text/text.ts'
import { copy } from '../../../ui/feedback/copy.ts'
import { useAffiliateCode } from '../queries.ts'
import { SettingRow } from '../setting-row.tsx'

export function InviteRow() {
  const text = useText(personalSettingsText)
  const code = useAffiliateCode()

  const copyLink = () =>
    code.mutate(undefined, {
      onSuccess: (aff) => void copy(inviteLink(aff), { done: text.inviteDone }),
    })

  return (
    <SettingRow title={text.invite} note={code.data === undefined ? text.inviteHelp : inviteLink(code.data)}>
      <Button variant="default" loading={code.isPending} onClick={copyLink}>
        {text.inviteCopy}
      </Button>
    </SettingRow>
  )
}

const inviteLink = (code: string) => `${window.location.origin}/register?aff=${encodeURIComponent(code)}`
