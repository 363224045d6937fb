import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { UserToken } from '@tollgate/contract'
import { useState } from 'react'
import { useStatus } from '../../../api/status.ts'
import { useSessionUser } from '../../../lib/session/session-user.ts'
import { limitsText } from '../../../text/limits.ts'
import { recordingRequestsText } from '../../../text/recording-requests.ts'
import { useText } from '../../../text/text.ts'
import { userTokensText } from '../../../text/user-tokens.ts'
import { confirm } from '../../../ui/feedback/dialogs.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { IconButton } from '../../../ui/layout/icon-button.tsx'
import {
  IconBan,
  IconBook2,
  IconCircleCheck,
  IconEye,
  IconGauge,
  IconKey,
  IconPigMoney,
  IconUser,
} from '../../../ui/layout/icons.tsx'
import { RowActions } from '../../../ui/table/row-actions.tsx'
import { AskRecordingDialog } from './ask-recording-dialog.tsx'
import { DisableDialog } from './disable-dialog.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { mayManage } from './may-manage.ts'
import { useAskRecording, useManageToken } from './queries.ts'

export function UserTokenActions({ token }: { token: UserToken }) {
  const text = useText(userTokensText)
  const actor = useSessionUser()
  const navigate = useNavigate()
  const manage = useManageToken()
  const [disabling, setDisabling] = useState(false)
  const [limiting, setLimiting] = useState(false)
  const [recording, setRecording] = useState(false)
  const limits = useText(limitsText)
  const words = useText(recordingRequestsText)
  const { recording: maxima } = useStatus()
  const request = useAskRecording()
  const { id, name, username, user_id, blocked, blocked_reason } = token
  const canManage = mayManage(actor, token)

  const askAndEnable = async () => {
    const question = { title: text.enableAsk(name, username), help: text.enableHelp(blocked_reason) }
    if (!(await confirm({ ...question, confirmLabel: text.enable }))) return
    manage.mutate({ id, action: 'enable' }, { onSuccess: () => toast.success(text.enabled) })
  }

  return (
    <RowActions
      label={text.moreOf(name)}
      menu={
        <>
          <Menu.Item
            leftSection={<IconBook2 size={16} />}
            onClick={() => void navigate({ to: '/log', search: { username, token_name: name } })}
          >
            {text.logs}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconUser size={16} />}
            disabled={!canManage}
            onClick={() => void navigate({ to: '/user/edit/$id', params: { id: String(user_id) } })}
          >
            {text.user}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconKey size={16} />}
            onClick={() => void navigate({ to: '/token/all', search: { owner: String(user_id) } })}
          >
            {text.ofOwner}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPigMoney size={16} />}
            onClick={() => void navigate({ to: '/budget', search: { scope: 'key', target: String(id) } })}
          >
            {text.budgets}
          </Menu.Item>
          <Menu.Item leftSection={<IconGauge size={16} />} disabled={!canManage} onClick={() => setLimiting(true)}>
            {limits.title}
          </Menu.Item>
          {maxima !== null && (
            <Menu.Item leftSection={<IconEye size={16} />} disabled={!canManage} onClick={() => setRecording(true)}>
              {words.ask}
            </Menu.Item>
          )}
          {token.recording_request !== null && (
            <Menu.Item
              leftSection={<IconEye size={16} />}
              disabled={!canManage}
              onClick={() =>
                request.mutate({ id, settings: null }, { onSuccess: () => toast.success(words.withdrawn) })
              }
            >
              {words.withdraw}
            </Menu.Item>
          )}
        </>
      }
    >
      {blocked ? (
        <IconButton label={text.enableOf(name)} disabled={!canManage} onClick={() => void askAndEnable()}>
          <IconCircleCheck size={16} />
        </IconButton>
      ) : (
        <IconButton label={text.disableOf(name)} disabled={!canManage} onClick={() => setDisabling(true)}>
          <IconBan size={16} />
        </IconButton>
      )}
      {recording && maxima !== null && (
        <AskRecordingDialog token={token} maxima={maxima} onClose={() => setRecording(false)} />
      )}
      {limiting && <LimitsDialog token={token} onClose={() => setLimiting(false)} />}
      {disabling && <DisableDialog token={token} onClose={() => setDisabling(false)} />}
    </RowActions>
  )
}
