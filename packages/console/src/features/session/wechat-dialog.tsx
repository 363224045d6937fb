import { Button, Image, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useStatus } from '../../api/status.ts'
import { useFields } from '../../lib/forms/fields.ts'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { useEnter } from './enter.ts'
import { useWechatLogin } from './queries.ts'

export function WechatDialog({ onClose }: { onClose: () => void }) {
  const text = useText(sessionText)
  const { wechat_qrcode } = useStatus()
  const fields = useFields({ code: '' })
  const login = useWechatLogin()
  const enter = useEnter()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = fields.values.code.trim()
    if (!fields.accept(code === '' ? { code: text.needCode } : {}, event.currentTarget)) return
    login.mutate(code, { onSuccess: (user) => enter(user, '/') })
  }

  return (
    <Dialog onClose={onClose} title={text.wechatTitle} size="xs">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {wechat_qrcode !== '' && <Image src={wechat_qrcode} alt={text.wechatQr} radius="md" />}
          <Text size="sm" c="dimmed">
            {text.wechatHelp}
          </Text>
          <TextInput label={text.code} autoComplete="one-time-code" data-autofocus {...fields.bind('code')} />
          <Button type="submit" loading={login.isPending}>
            {text.login}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
