import type { ReactNode } from 'react'
import { useStatus } from '../../api/status.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import classes from './first-steps.module.css'

interface FirstStepsProps {
  /** Only administrators can add a channel. */
  admin: boolean
  /** Without a balance no call is answered. */
  penniless: boolean
}

/** What to do while there is nothing to show. */
export function FirstSteps({ admin, penniless }: FirstStepsProps) {
  const text = useText(homeText)
  const { server_address } = useStatus()
  const address = server_address || window.location.origin
  return (
    <Panel title={text.stepsTitle}>
      <p className={classes.help}>{text.stepsHelp}</p>
      <ol className={classes.steps}>
        {admin && (
          <Step
            title={text.stepChannel}
            help={text.stepChannelHelp}
            action={<ButtonLink to="/channel/add">{text.stepChannelAction}</ButtonLink>}
          />
        )}
        {!admin && penniless && (
          <Step
            title={text.stepTopUp}
            help={text.stepTopUpHelp}
            action={<ButtonLink to="/topup">{text.stepTopUpAction}</ButtonLink>}
          />
        )}
        <Step
          title={text.stepToken}
          help={text.stepTokenHelp}
          action={
            <ButtonLink to="/token/add" variant={admin || penniless ? 'default' : 'filled'}>
              {text.stepTokenAction}
            </ButtonLink>
          }
        />
        <Step
          title={text.stepCall}
          help={text.stepCallHelp}
          action={
            <ButtonLink to="/token" variant="default">
              {text.stepCallAction}
            </ButtonLink>
          }
        >
          <CodeBlock code={firstCall(address, text.keyPlaceholder, text.hello)} />
        </Step>
      </ol>
    </Panel>
  )
}

interface StepProps {
  title: string
  help: string
  action: ReactNode
  children?: ReactNode
}

function Step({ title, help, action, children }: StepProps) {
  return (
    <li className={classes.step}>
      <div className={classes.head}>
        <div>
          <h3 className={classes.title}>{title}</h3>
          <p className={classes.text}>{help}</p>
        </div>
        {action}
      </div>
      {children && <div className={classes.more}>{children}</div>}
    </li>
  )
}

const firstCall = (address: string, key: string, hello: string) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "${hello}"}]}'`
