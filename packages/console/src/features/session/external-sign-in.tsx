import { Button, Divider } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useStartOAuth } from '../../api/start-oauth.ts'
import { useStatus } from '../../api/status.ts'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { IconBrandGithub, IconBrandWechat, IconFeather } from '../../ui/layout/icons.tsx'

const WechatDialog = lazy(() => import('./wechat-dialog.tsx').then((file) => ({ default: file.WechatDialog })))

/** GitHub, WeChat and Lark, as far as the operator enabled them. */
export function ExternalSignIn() {
  const text = useText(sessionText)
  const { github_oauth, wechat_login, lark_client_id } = useStatus()
  const start = useStartOAuth()
  const [wechatOpened, setWechatOpened] = useState(false)
  if (!github_oauth && !wechat_login && lark_client_id === '') return null
  return (
    <>
      <Divider label={text.orWith} />
      {github_oauth && (
        <Button variant="default" leftSection={<IconBrandGithub size={18} />} onClick={() => start.mutate('github')}>
          {text.github}
        </Button>
      )}
      {wechat_login && (
        <Button variant="default" leftSection={<IconBrandWechat size={18} />} onClick={() => setWechatOpened(true)}>
          {text.wechat}
        </Button>
      )}
      {lark_client_id !== '' && (
        <Button variant="default" leftSection={<IconFeather size={18} />} onClick={() => start.mutate('lark')}>
          {text.lark}
        </Button>
      )}
      <Suspense>{wechatOpened && <WechatDialog onClose={() => setWechatOpened(false)} />}</Suspense>
    </>
  )
}
