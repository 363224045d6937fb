import { Button, Image, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useStatus } from '../../../api/status.ts'
import { useFields } from '../../../lib/forms/fields.ts'
import { personalSettingsText } from '../../../text/personal-settings.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { useBindWechat } from '../queries.ts'

export function BindWechatDialog({ onClose }: { onClose: () => void }) {
  const text = useText(personalSettingsText).bind
  const { wechat_qrcode } = useStatus()
  const fields = useFields({ code: '' })
  const bind = useBindWechat()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = fields.values.code.trim()
    if (!fields.accept(code === '' ? { code: text.needCode } : {}, event.currentTarget)) return
    bind.mutate(code, {
      onSuccess: () => {
        toast.success(text.wechatDone)
        onClose()
      },
    })
  }

  return (
    <Dialog onClose={onClose} title={text.wechatDo} size="xs">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {wechat_qrcode !== '' && <Image src={wechat_qrcode} alt={text.wechatQr} w={200} mx="auto" radius="md" />}
          <Text size="sm" c="dimmed">
            {text.wechatHelp}
          </Text>
          <TextInput label={text.code} autoComplete="one-time-code" data-autofocus {...fields.bind('code')} />
          <Button type="submit" loading={bind.isPending}>
            {text.confirm}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
