import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Token, TokenStatus } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { ownUser } from '../../api/own-user.ts'
import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'
import { IconAlertTriangle } from '../../ui/layout/icons.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'

/** Why calls with this key would be refused now, and where to change that. */
export function KeyWarnings({ token }: { token: Token }) {
  const text = useText(connectText)
  const { data: self } = useQuery(ownUser)
  const edit = (
    <AnchorLink to="/token/edit/$id" params={{ id: String(token.id) }} size="sm">
      {text.edit}
    </AnchorLink>
  )
  const enable = (
    <AnchorLink to="/token" search={{ keyword: token.name }} size="sm">
      {text.enable}
    </AnchorLink>
  )
  const topUp = (
    <AnchorLink to="/topup" size="sm">
      {text.topUp}
    </AnchorLink>
  )
  return (
    <>
      {token.status === TokenStatus.disabled && <Warning message={text.disabled(token.name)} action={enable} />}
      {token.status === TokenStatus.expired && <Warning message={text.expired(token.name)} action={edit} />}
      {token.status === TokenStatus.exhausted && <Warning message={text.exhausted(token.name)} action={edit} />}
      {self !== undefined && self.quota <= 0 && <Warning message={text.penniless} action={topUp} />}
    </>
  )
}

function Warning({ message, action }: { message: string; action: ReactNode }) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="status">
      {message} {action}
    </Alert>
  )
}
