import { Button, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { availableModels } from '../../api/available-models.ts'
import { useStatus } from '../../api/status.ts'
import { fullKey } from '../../lib/session/full-key.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { copy } from '../../ui/feedback/copy.ts'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import classes from './first-steps.module.css'
import { channelAttention, ownTokens } from './queries.ts'

interface FirstStepsProps {
  /** Only administrators can add a channel. */
  admin: boolean
  /** Without a balance no call is answered. */
  hasNoBalance: boolean
}

/** What to do while there is no usage, and which steps are done. */
export function FirstSteps({ admin, hasNoBalance }: FirstStepsProps) {
  const text = useText(homeText)
  const { server_address } = useStatus()
  const address = server_address || window.location.origin
  const { data: attention } = useQuery({ ...channelAttention, enabled: admin })
  const { data: tokens } = useQuery(ownTokens)
  const { data: models = [] } = useQuery(availableModels)
  const hasChannel = (attention?.total ?? 0) > 0
  const token = tokens?.rows.at(-1)
  return (
    <Panel title={text.stepsTitle}>
      <p className={classes.help}>{text.stepsHelp}</p>
      <ol className={classes.steps}>
        {admin && (
          <Step
            title={text.stepChannel}
            help={hasChannel ? text.stepChannelDone(attention?.total ?? 0) : text.stepChannelHelp}
            done={hasChannel}
            action={
              <ButtonLink to="/channel/add" variant={hasChannel ? 'default' : 'filled'}>
                {text.stepChannelAction}
              </ButtonLink>
            }
          />
        )}
        {!admin && hasNoBalance && (
          <Step
            title={text.stepTopUp}
            help={text.stepTopUpHelp}
            action={<ButtonLink to="/topup">{text.stepTopUpAction}</ButtonLink>}
          />
        )}
        {token === undefined ? (
          <Step
            title={text.stepToken}
            help={text.stepTokenHelp}
            action={
              <ButtonLink to="/token/add" variant={admin || hasNoBalance ? 'default' : 'filled'}>
                {text.stepTokenAction}
              </ButtonLink>
            }
          />
        ) : (
          <Step
            title={text.stepToken}
            help={text.stepTokenDone(token.name)}
            done
            action={
              <Button variant="default" onClick={() => void copy(fullKey(token.key), { done: text.keyCopied })}>
                {text.stepTokenCopy}
              </Button>
            }
          />
        )}
        <Step
          title={text.stepCall}
          help={text.stepCallHelp}
          action={
            <ButtonLink to="/connect" variant="default">
              {text.stepCallAction}
            </ButtonLink>
          }
        >
          <CodeBlock
            code={firstCall({
              address,
              key: text.keyPlaceholder,
              hello: text.hello,
              model: models[0] ?? 'gpt-4o-mini',
            })}
          />
        </Step>
      </ol>
    </Panel>
  )
}

interface Sample {
  address: string
  key: string
  hello: string
  model: string
}

interface StepProps {
  title: string
  help: string
  done?: boolean
  action: ReactNode
  children?: ReactNode
}

function Step({ title, help, done = false, action, children }: StepProps) {
  const text = useText(homeText)
  return (
    <li className={classes.step} data-done={done || undefined}>
      <div className={classes.head}>
        <div>
          <h3 className={classes.title}>
            {title}
            {done && <VisuallyHidden> {text.stepDone}</VisuallyHidden>}
          </h3>
          <p className={classes.text}>{help}</p>
        </div>
        {action}
      </div>
      {children && <div className={classes.more}>{children}</div>}
    </li>
  )
}

const firstCall = ({ address, key, hello, model }: Sample) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "${hello}"}]}'`
