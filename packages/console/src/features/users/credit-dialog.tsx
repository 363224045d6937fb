import { Text } from '@mantine/core'
import type { User } from '@tollgate/contract'
import { useState } from 'react'
import { useMoney } from '../../lib/format/money.tsx'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'
import { FormDialog } from '../../ui/feedback/form-dialog.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { MoneyInput } from '../../ui/inputs/money-input.tsx'
import { ReasonField } from '../../ui/inputs/reason-field.tsx'
import { useCreditUser } from './queries.ts'

interface CreditDialogProps {
  user: User
  onClose: () => void
}

/** A refund or a payment: the amount, and the reason that the user finds in the log. */
export function CreditDialog({ user: { id, username, quota: balance }, onClose }: CreditDialogProps) {
  const text = useText(usersText)
  const money = useMoney()
  const credit = useCreditUser()
  const [quota, setQuota] = useState(0)
  const [reason, setReason] = useState('')

  const send = () => {
    const done = () => {
      toast.info(text.credited(money.quota(quota), username))
      onClose()
    }
    credit.mutate({ user_id: id, quota, remark: reason.trim() }, { onSuccess: done })
  }

  return (
    <FormDialog
      title={text.creditAsk(username)}
      size="sm"
      save={text.credit}
      onSave={send}
      saving={credit.isPending}
      disabled={quota < 1 || reason.trim() === ''}
      onClose={onClose}
    >
      <Text c="dimmed">
        {quota === 0
          ? text.balanceNow(money.quota(balance))
          : text.balanceAfter(money.quota(balance), money.quota(balance + quota))}
      </Text>
      <ReasonField
        label={text.creditReason}
        description={text.creditReasonHelp}
        placeholder={text.creditReasonPlaceholder}
        value={reason}
        onChange={setReason}
      />
      <MoneyInput label={text.creditAmount} value={quota} onChange={setQuota} />
    </FormDialog>
  )
}
