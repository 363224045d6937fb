import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useStatus } from '../../api/status.ts'
import { DOUBLE_CLICK_MS } from '../../api/use-send.ts'
import { randomUuid } from '../../lib/browser/random-uuid.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { useFieldErrors } from '../../lib/forms/field-errors.ts'
import { useSessionUser } from '../../lib/session/session-user.ts'
import { useText } from '../../text/text.ts'
import { topupText } from '../../text/topup.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { IconExternalLink } from '../../ui/layout/icons.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useRedeem } from './queries.ts'
import { topUpAddress } from './top-up-link.ts'
import classes from './topup-page.module.css'

export function RedeemCard() {
  const text = useText(topupText)
  const money = useMoney()
  const [code, setCode] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const redeem = useRedeem()
  const redeemedAt = useRef(Number.NEGATIVE_INFINITY)

  useFieldErrors((field, message) => {
    if (field !== 'key') return false
    setRefusal(message)
    input.current?.focus()
    return true
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (redeem.isPending) return
    // The field was emptied by the first half of a double click, whose success is shown below.
    if (code.trim() === '' && performance.now() - redeemedAt.current < DOUBLE_CLICK_MS) return
    if (code.trim() === '') return toast.warning(text.needCode)
    redeem.mutate(code.trim(), {
      onSuccess: () => {
        toast.success(text.done)
        redeemedAt.current = performance.now()
        setCode('')
      },
    })
  }

  return (
    <Panel title={text.redeem}>
      <form onSubmit={submit} noValidate>
        <div className={classes.line}>
          <TextInput
            ref={input}
            label={text.code}
            placeholder={text.codePlaceholder}
            value={code}
            error={refusal}
            onChange={(event) => {
              setCode(event.currentTarget.value)
              setRefusal(undefined)
            }}
            autoComplete="off"
            spellCheck={false}
            autoFocus
          />
          <Button type="submit" loading={redeem.isPending}>
            {text.submit}
          </Button>
        </div>
      </form>
      {redeem.isSuccess && <p className={classes.added}>{text.added(money.quota(redeem.data))}</p>}
      <TopUpLink />
    </Panel>
  )
}

function TopUpLink() {
  const text = useText(topupText)
  const { top_up_link } = useStatus()
  const user = useSessionUser()
  const [transactionId, setTransactionId] = useState(randomUuid)
  if (top_up_link === '' || user === undefined) {
    // No link is configured, so the button explains why.
    return (
      <div className={classes.below}>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => toast.error(text.noLink)}>
          {text.howToGet}
        </Button>
      </div>
    )
  }
  return (
    <div className={classes.below}>
      <span>{text.getCode}</span>
      <Button
        variant="subtle"
        size="compact-sm"
        rightSection={<IconExternalLink size={14} aria-hidden />}
        component="a"
        href={topUpAddress(top_up_link, user, transactionId)}
        target="_blank"
        rel="noopener noreferrer"
        // Each payment has a number of its own.
        onClick={() => setTransactionId(randomUuid())}
      >
        {text.openLink}
      </Button>
    </div>
  )
}
