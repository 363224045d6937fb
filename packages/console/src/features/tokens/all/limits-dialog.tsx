import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { UserToken } from '@tollgate/contract'
import { useState } from 'react'
import { availableModels } from '../../../api/available-models.ts'
import { limitsInWords } from '../../../lib/format/limits-in-words.ts'
import { isLimited } from '../../../lib/format/rate-limits.ts'
import { limitsText } from '../../../text/limits.ts'
import { useText } from '../../../text/text.ts'
import { FormDialog } from '../../../ui/feedback/form-dialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { RateLimitsField } from '../../../ui/limits/rate-limits-field.tsx'
import { useLimitToken } from './queries.ts'

interface LimitsDialogProps {
  token: UserToken
  onClose: () => void
}

/** What an administrator allows a key, beside the limits of its owner. */
export function LimitsDialog({ token, onClose }: LimitsDialogProps) {
  const { id, name, username, rate_limits: own } = token
  const text = useText(limitsText)
  const models = useQuery(availableModels)
  const limit = useLimitToken()
  const [limits, setLimits] = useState(token.admin_rate_limits)

  const save = () => {
    const done = () => {
      toast.success(text.saved)
      onClose()
    }
    limit.mutate({ id, rate_limits: limits }, { onSuccess: done })
  }

  return (
    <FormDialog
      title={text.ofUserKey(name, username)}
      size="lg"
      save={text.save}
      onSave={save}
      saving={limit.isPending}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {text.adminHelp}
      </Text>
      {isLimited(own) && <Text size="sm">{text.byOwner(limitsInWords(own, text))}</Text>}
      <RateLimitsField value={limits} onChange={setLimits} models={models.data ?? []} />
    </FormDialog>
  )
}
