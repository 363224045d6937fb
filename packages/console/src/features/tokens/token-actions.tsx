import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Token } from '@tollgate/contract'
import { useStatus } from '../../api/status.ts'
import { fullKey } from '../../lib/session/full-key.ts'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'
import { copy } from '../../ui/feedback/copy.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { confirm } from '../../ui/feedback/dialogs.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { RemoveItem } from '../../ui/inputs/remove-item.tsx'
import { IconButton } from '../../ui/layout/icon-button.tsx'
import {
  IconBook2,
  IconExternalLink,
  IconLink,
  IconPencil,
  IconPigMoney,
  IconPlugConnected,
} from '../../ui/layout/icons.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { chatLinks } from './chat-links.ts'
import { useRemoveToken } from './queries.ts'

interface TokenActionsProps {
  token: Token
  /** Its user, if the reader's log has the calls of others too. */
  owner: string | undefined
  /** Receives a key that could not be copied. */
  onUncopied: (value: string) => void
}

export function TokenActions({ token, owner, onUncopied }: TokenActionsProps) {
  const text = useText(tokensText)
  const status = useStatus()
  const navigate = useNavigate()
  const remove = useRemoveToken()
  const address = status.server_address || window.location.origin
  const links = chatLinks({ key: token.key, address, chatLink: status.chat_link })
  const { id, name } = token

  const askAndRemove = async () => {
    const question = { title: text.removeAsk(name), help: text.removeHelp, confirmLabel: text.remove, danger: true }
    if (await confirm(question)) remove.mutate(id, { onSuccess: () => toast.success(text.removed) })
  }

  return (
    <RowActions
      label={text.moreOf(name)}
      menu={
        <>
          <Menu.Item
            leftSection={<IconPlugConnected size={16} />}
            onClick={() => void navigate({ to: '/connect', search: { token: id } })}
          >
            {text.connect}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconBook2 size={16} />}
            onClick={() => void navigate({ to: '/log', search: { username: owner, token_name: name } })}
          >
            {text.logs}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPigMoney size={16} />}
            onClick={() => void navigate({ to: '/budget/add', search: { scope: 'key', target: String(id) } })}
          >
            {text.addBudget}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{text.openIn}</Menu.Label>
          {links.map(({ client, url }) => (
            <Menu.Item
              key={client}
              component="a"
              href={url}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconExternalLink size={16} />}
            >
              {client}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {links.map(({ client, url }) => (
            <Menu.Item
              key={client}
              leftSection={<IconLink size={16} />}
              onClick={() => void copy(url, { done: text.linkCopied, manual: onUncopied })}
            >
              {text.copyLinkFor(client)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <RemoveItem onClick={() => void askAndRemove()}>{text.remove}</RemoveItem>
        </>
      }
    >
      <CopyButton value={fullKey(token.key)} label={text.copyKeyOf(name)} done={text.keyCopied} manual={onUncopied} />
      <IconButton
        label={text.editOf(name)}
        onClick={() => void navigate({ to: '/token/edit/$id', params: { id: String(id) } })}
      >
        <IconPencil size={16} />
      </IconButton>
    </RowActions>
  )
}
