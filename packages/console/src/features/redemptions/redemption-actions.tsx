import type { Redemption } from '@tollgate/contract'
import { redemptionsText } from '../../text/redemptions.ts'
import { useText } from '../../text/text.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { confirm } from '../../ui/feedback/dialogs.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { RemoveItem } from '../../ui/inputs/remove-item.tsx'
import { IconLink } from '../../ui/layout/icon-link.tsx'
import { IconPencil } from '../../ui/layout/icons.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { useRemoveRedemption } from './queries.ts'

interface RedemptionActionsProps {
  redemption: Redemption
  /** Receives a code that could not be copied. */
  onUncopied: (value: string) => void
}

export function RedemptionActions({ redemption, onUncopied }: RedemptionActionsProps) {
  const text = useText(redemptionsText)
  const remove = useRemoveRedemption()
  const { id, name, key } = redemption

  const askAndRemove = async () => {
    const question = { title: text.removeAsk(name), help: text.removeHelp, confirmLabel: text.remove, danger: true }
    if (await confirm(question)) remove.mutate(id, { onSuccess: () => toast.success(text.removed) })
  }

  return (
    <RowActions
      label={text.moreOf(name)}
      menu={<RemoveItem onClick={() => void askAndRemove()}>{text.remove}</RemoveItem>}
    >
      <CopyButton value={key} label={text.copyOf(name)} done={text.copied} manual={onUncopied} />
      <IconLink label={text.editOf(name)} to="/redemption/edit/$id" params={{ id: String(id) }}>
        <IconPencil size={16} />
      </IconLink>
    </RowActions>
  )
}
