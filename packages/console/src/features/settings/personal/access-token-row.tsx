import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { copyText } from '../../../lib/browser/clipboard.ts'
import { commonText } from '../../../text/common.ts'
import { personalSettingsText } from '../../../text/personal-settings.ts'
import { useText } from '../../../text/text.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { confirm } from '../../../ui/feedback/dialogs.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useAccessToken } from '../queries.ts'
import { SettingRow } from '../setting-row.tsx'

/** Creates a new access token, copies it, and shows it once. */
export function AccessTokenRow() {
  const text = useText(personalSettingsText)
  const common = useText(commonText)
  const make = useAccessToken()
  const [token, setToken] = useState<string>()

  const run = async () => {
    const question = { title: text.tokenAsk, help: text.tokenAskHelp, confirmLabel: text.tokenMake }
    if (!(await confirm(question))) return
    make.mutate(undefined, {
      onSuccess: async (made) => {
        setToken(made)
        if (await copyText(made)) toast.success(text.tokenDone)
        else toast.warning(common.copyFailed)
      },
    })
  }

  return (
    <SettingRow title={text.token} note={text.tokenHelp}>
      <Button variant="default" loading={make.isPending} onClick={() => void run()}>
        {text.tokenMake}
      </Button>
      {token !== undefined && (
        <Dialog onClose={() => setToken(undefined)} title={text.tokenTitle}>
          <Text size="sm" c="dimmed" mb="sm">
            {text.tokenOnce}
          </Text>
          <TextInput
            data-autofocus
            readOnly
            value={token}
            aria-label={text.token}
            onFocus={(event) => event.currentTarget.select()}
            rightSection={<CopyButton value={token} label={text.tokenCopy} />}
          />
        </Dialog>
      )}
    </SettingRow>
  )
}
