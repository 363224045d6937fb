import type { Token } from '@tollgate/contract'
import { commaList } from '@tollgate/contract'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'
import { IconPlugOff } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'

const NAMED_MAX = 3

interface NoModelsProps {
  token: Token
  /** The owner's groups offer no models at all. */
  nothingOffered: boolean
}

/** Says who can fix the missing models: the owner of the key, or an administrator. */
export function NoModels({ token, nothingOffered }: NoModelsProps) {
  const text = useText(connectText)
  const admin = useIsAdmin()
  const icon = <IconPlugOff size={32} stroke={1.5} />
  if (!nothingOffered) {
    const models = commaList(token.models)
    const named = models.slice(0, NAMED_MAX).join(', ') + (models.length > NAMED_MAX ? '…' : '')
    const edit = (
      <ButtonLink to="/token/edit/$id" params={{ id: String(token.id) }}>
        {text.edit}
      </ButtonLink>
    )
    return <EmptyState icon={icon} title={text.noModels} help={text.noModelsLeft(named)} action={edit} />
  }
  if (!admin) return <EmptyState icon={icon} title={text.noModels} help={text.noModelsUser} />
  const add = <ButtonLink to="/channel/add">{text.noModelsAdminAction}</ButtonLink>
  return <EmptyState icon={icon} title={text.noModels} help={text.noModelsAdmin} action={add} />
}
