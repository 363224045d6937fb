import { Button, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useCountdown } from '../../lib/browser/countdown.ts'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import classes from './email-code-fields.module.css'
import { useSendCode } from './queries.ts'

interface EmailCodeFieldsProps {
  email: TextInputProps & { value: string }
  code: TextInputProps
  /** The human check token for one call; undefined while it is still running. */
  takeTurnstile: () => string | undefined
  /** False until it is known whether a check is required. */
  ready: boolean
}

/** An address, its verification code, and the button that sends the code. */
export function EmailCodeFields({ email, code, takeTurnstile, ready }: EmailCodeFieldsProps) {
  const text = useText(sessionText)
  const { left, start } = useCountdown()
  const [missing, setMissing] = useState(false)
  const send = useSendCode()

  const sendCode = () => {
    const address = email.value.trim()
    setMissing(address === '')
    if (address === '') return
    const turnstile = takeTurnstile()
    if (turnstile === undefined) return toast.warning(text.turnstileRegister)
    start()
    send.mutate({ email: address, turnstile }, { onSuccess: () => toast.success(text.codeSent) })
  }

  return (
    <>
      <div className={classes.row}>
        <TextInput
          className={classes.email}
          label={text.email}
          type="email"
          autoComplete="email"
          {...email}
          error={email.error ?? (missing && email.value.trim() === '' ? text.needEmail : undefined)}
        />
        <Button
          variant="default"
          className={classes.send}
          disabled={left > 0 || !ready}
          loading={send.isPending}
          onClick={sendCode}
        >
          {left > 0 ? text.retryIn(left) : text.sendCode}
        </Button>
      </div>
      <TextInput label={text.code} autoComplete="one-time-code" {...code} />
    </>
  )
}
