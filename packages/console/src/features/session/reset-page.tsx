import { Alert, Button, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useHumanCheck } from '../../api/status.ts'
import { useCountdown } from '../../lib/browser/countdown.ts'
import { useFields } from '../../lib/forms/fields.ts'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTurnstile } from '../../ui/inputs/turnstile.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { useRequestReset } from './queries.ts'
import { SessionCard } from './session-card.tsx'

export function ResetPage() {
  const text = useText(sessionText)
  const fields = useFields({ email: '' })
  const { take, ready, widget } = useTurnstile(useHumanCheck())
  const { left, start } = useCountdown()
  const request = useRequestReset()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = fields.values.email.trim()
    if (!fields.accept(email === '' ? { email: text.needEmail } : {}, event.currentTarget)) return
    const turnstile = take()
    if (turnstile === undefined) return toast.warning(text.turnstileReset)
    start()
    request.mutate({ email, turnstile }, { onSuccess: () => toast.success(text.resetSent) })
  }

  return (
    <SessionCard title={text.resetTitle} below={<AnchorLink to="/login">{text.goLogin}</AnchorLink>}>
      <form onSubmit={submit} noValidate>
        <TextInput label={text.email} type="email" autoComplete="email" autoFocus {...fields.bind('email')} />
        {widget}
        {request.isSuccess && <Alert color="green">{text.resetSentHelp(request.variables.email)}</Alert>}
        <Button type="submit" disabled={left > 0 || !ready} loading={request.isPending} fullWidth>
          {left > 0 ? text.retryIn(left) : text.sendReset}
        </Button>
      </form>
    </SessionCard>
  )
}
