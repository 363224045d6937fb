import { Button, Loader } from '@mantine/core'
import type { Token } from '@tollgate/contract'
import { useEffect, useRef } from 'react'
import { fullKey } from '../../lib/session/full-key.ts'
import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'
import { IconPlayerPlay, IconPlayerStop } from '../../ui/layout/icons.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import type { ProtocolName } from './protocols.ts'
import { TestOutcome } from './test-outcome.tsx'
import classes from './test-panel.module.css'
import { useTestCall } from './use-test-call.ts'

interface TestPanelProps {
  token: Token
  protocol: ProtocolName
  model: string
}

/** Proves that it works before anything is installed: one real call with this key, in the program's own protocol. */
export function TestPanel({ token, protocol, model }: TestPanelProps) {
  const text = useText(connectText)
  const test = useTestCall()
  const outcome = useRef<HTMLDivElement>(null)
  const isEnded = test.isSuccess || test.isError
  // It appears below the button, which is the last thing on many screens.
  useEffect(() => {
    if (isEnded) outcome.current?.scrollIntoView({ block: 'nearest' })
  }, [isEnded])
  const send = () => test.mutate({ protocol, key: fullKey(token.key), model, prompt: text.prompt })
  return (
    <Panel title={text.test}>
      <p className={classes.help}>{text.testHelp(model, text.prompt)}</p>
      <div className={classes.actions}>
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          variant={test.isIdle ? 'filled' : 'default'}
          onClick={send}
          disabled={test.isPending}
        >
          {isEnded ? text.sendAgain : text.send}
        </Button>
        {test.isPending && (
          <>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconPlayerStop size={16} />}
              onClick={() => test.stop()}
            >
              {text.stop}
            </Button>
            <span className={classes.waiting}>
              <Loader size={14} aria-hidden />
              {text.sending}
            </span>
          </>
        )}
      </div>
      <div role="status" ref={outcome}>
        {test.isError && <TestOutcome refusal={test.error.message} />}
        {test.isSuccess && test.data === undefined && <p className={classes.stopped}>{text.stopped}</p>}
        {test.data && <TestOutcome answer={test.data} />}
      </div>
    </Panel>
  )
}
