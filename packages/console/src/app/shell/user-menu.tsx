import { Menu, UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { session } from '@tollgate/contract'
import { call } from '../../api/call.ts'
import { useGuideAddress } from '../../api/guide-address.ts'
import { useSend } from '../../api/use-send.ts'
import { roleLabel } from '../../lib/format/labels.ts'
import { truncateName } from '../../lib/format/names.ts'
import { drafts } from '../../lib/forms/drafts.ts'
import { forgetUser, type StoredUser } from '../../lib/session/session-user.ts'
import { appText } from '../../text/app.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { IconBook2, IconChevronDown, IconLogout, IconUser } from '../../ui/layout/icons.tsx'
import classes from './user-menu.module.css'

export function UserMenu({ user }: { user: StoredUser }) {
  const text = useText(appText)
  const labels = useText(labelsText)
  const logout = useLogout()
  const guide = useGuideAddress()
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <UnstyledButton className={classes.user} aria-label={text.account(user.username)}>
          <span className={classes.initial} aria-hidden>
            {[...user.username][0]?.toUpperCase()}
          </span>
          <span className={classes.name}>{truncateName(user.username)}</span>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{roleLabel(user.role, labels).text}</Menu.Label>
        <Menu.Item leftSection={<IconUser size={16} />} component={Link} to="/user/edit">
          {text.title.profile}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook2 size={16} />} component="a" href={guide} target="_blank">
          {text.guide}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => logout.mutate()}>
          {text.logout}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function useLogout() {
  const text = useText(appText)
  const client = useQueryClient()
  const navigate = useNavigate()
  return useSend({
    mutationFn: () => call(session.logout),
    onSuccess: async () => {
      drafts.forget()
      forgetUser()
      toast.success(text.logoutDone)
      await navigate({ to: '/login', ignoreBlocker: true })
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' })
    },
  })
}
