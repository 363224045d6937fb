import { Button } from '@mantine/core'
import type { OwnUser } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'
import { useStartOAuth } from '../../../api/start-oauth.ts'
import { useStatus } from '../../../api/status.ts'
import { personalSettingsText } from '../../../text/personal-settings.ts'
import { useText } from '../../../text/text.ts'
import { SettingRow } from '../setting-row.tsx'

const BindEmail = lazy(() => import('./bind-email-dialog.tsx').then((file) => ({ default: file.BindEmailDialog })))
const BindWechat = lazy(() => import('./bind-wechat-dialog.tsx').then((file) => ({ default: file.BindWechatDialog })))

/** Other sign-in methods, as far as the site offers them. */
export function BindingRows({ user }: { user: OwnUser }) {
  const text = useText(personalSettingsText).bind
  const { github_oauth, wechat_login, lark_client_id } = useStatus()
  const oauth = useStartOAuth()
  const [dialog, setDialog] = useState<'email' | 'wechat'>()
  const close = () => setDialog(undefined)
  const accounts = [
    { name: text.email, bound: user.email, offered: true, verb: text.emailDo, run: () => setDialog('email') },
    {
      name: text.github,
      bound: user.github_id,
      offered: github_oauth,
      verb: text.githubDo,
      run: () => oauth.mutate('github'),
    },
    {
      name: text.wechat,
      bound: user.wechat_id,
      offered: wechat_login,
      verb: text.wechatDo,
      run: () => setDialog('wechat'),
    },
    {
      name: text.lark,
      bound: user.lark_id,
      offered: lark_client_id !== '',
      verb: text.larkDo,
      run: () => oauth.mutate('lark'),
    },
  ]
  return (
    <>
      {accounts.map(({ name, bound, offered, verb, run }) => (
        <SettingRow key={name} title={name} note={bound || (offered ? text.none : text.off)}>
          {offered && (
            <Button variant="default" onClick={run}>
              {verb}
            </Button>
          )}
        </SettingRow>
      ))}
      <Suspense>
        {dialog === 'email' && <BindEmail onClose={close} />}
        {dialog === 'wechat' && <BindWechat onClose={close} />}
      </Suspense>
    </>
  )
}
