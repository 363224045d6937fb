import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Defaults, UserStatus } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'
import { useSessionUser } from '../../lib/session/session-user.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'
import { confirm } from '../../ui/feedback/dialogs.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { RemoveItem } from '../../ui/inputs/remove-item.tsx'
import { IconButton } from '../../ui/layout/icon-button.tsx'
import { IconLink } from '../../ui/layout/icon-link.tsx'
import {
  IconArrowBigDown,
  IconArrowBigUp,
  IconBan,
  IconBook2,
  IconChartBar,
  IconCircleCheck,
  IconCoin,
  IconKey,
  IconPencil,
  IconPigMoney,
  IconSitemap,
} from '../../ui/layout/icons.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { mayEdit, rankActions } from './may-edit.ts'
import { type Action, type ListedUser, useManageUser } from './queries.ts'

const CreditDialog = lazy(() => import('./credit-dialog.tsx').then((file) => ({ default: file.CreditDialog })))

export function UserActions({ user }: { user: ListedUser }) {
  const text = useText(usersText)
  const common = useText(commonText)
  const actor = useSessionUser()
  const manage = useManageUser()
  const navigate = useNavigate()
  const [crediting, setCrediting] = useState(false)
  const { username } = user
  const enabled = user.status === UserStatus.enabled
  const { promote, demote, works } = rankActions(actor, user)

  const run = (action: Action) => manage.mutate({ user, action }, { onSuccess: () => toast.success(common.done) })

  const askAndRemove = async () => {
    const question = { title: text.removeAsk(username), help: text.removeHelp, confirmLabel: text.remove, danger: true }
    if (await confirm(question)) run('delete')
  }

  const askAndDisable = async () => {
    const { disableAsk, disableHelp, disable } = text
    const question = { title: disableAsk(username), help: disableHelp, confirmLabel: disable, danger: true }
    if (await confirm(question)) run('disable')
  }

  return (
    <RowActions
      label={text.moreOf(username)}
      menu={
        <>
          <Menu.Item
            leftSection={<IconBook2 size={16} />}
            onClick={() => void navigate({ to: '/log', search: { username, user_id: user.id } })}
          >
            {text.calls}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconChartBar size={16} />}
            onClick={() => void navigate({ to: '/analytics', search: { user: username, by: 'model' } })}
          >
            {text.usage}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconSitemap size={16} />}
            onClick={() => void navigate({ to: '/route', search: { group: user.group || Defaults.group } })}
          >
            {text.routes}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconKey size={16} />}
            onClick={() => void navigate({ to: '/token/all', search: { owner: String(user.id) } })}
          >
            {text.tokens}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPigMoney size={16} />}
            onClick={() => void navigate({ to: '/budget', search: { scope: 'user', target: String(user.id) } })}
          >
            {text.budgets}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCoin size={16} />}
            disabled={!mayEdit(actor, user)}
            onClick={() => setCrediting(true)}
          >
            {text.credit}
          </Menu.Item>
          <Menu.Divider />
          {promote && (
            <Menu.Item leftSection={<IconArrowBigUp size={16} />} disabled={!works} onClick={() => run('promote')}>
              {text.promote}
            </Menu.Item>
          )}
          {demote && (
            <Menu.Item leftSection={<IconArrowBigDown size={16} />} disabled={!works} onClick={() => run('demote')}>
              {text.demote}
            </Menu.Item>
          )}
          <RemoveItem disabled={!works} onClick={() => void askAndRemove()}>
            {text.remove}
          </RemoveItem>
        </>
      }
    >
      <IconButton
        label={enabled ? text.disableOf(username) : text.enableOf(username)}
        disabled={!works}
        onClick={() => (enabled ? void askAndDisable() : run('enable'))}
      >
        {enabled ? <IconBan size={16} /> : <IconCircleCheck size={16} />}
      </IconButton>
      {mayEdit(actor, user) ? (
        <IconLink label={text.editOf(username)} to="/user/edit/$id" params={{ id: String(user.id) }}>
          <IconPencil size={16} />
        </IconLink>
      ) : (
        <IconButton label={text.editOf(username)} disabled>
          <IconPencil size={16} />
        </IconButton>
      )}
      {crediting && (
        <Suspense>
          <CreditDialog user={user} onClose={() => setCrediting(false)} />
        </Suspense>
      )}
    </RowActions>
  )
}
