import { Alert, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatMs } from '../../lib/format/format-ms.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'
import { IconCircleCheck, IconCircleX } from '../../ui/layout/icons.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { logEntries } from './queries.ts'
import classes from './test-panel.module.css'
import type { TestAnswer } from './use-test-call.ts'

type Answer = NonNullable<TestAnswer>

interface TestOutcomeProps {
  answer?: Answer
  /** Why there is no answer at all. */
  refusal?: string
}

/** The result: the text or the error, its duration, its cost, and its log entry. */
export function TestOutcome({ answer, refusal = '' }: TestOutcomeProps) {
  const text = useText(connectText)
  if (answer?.ok !== true) {
    const title = answer === undefined ? text.failed : text.failedWith(answer.status)
    return (
      <div className={classes.outcome}>
        <Alert color="red" icon={<IconCircleX size={18} />} title={title}>
          <span className={classes.refusal}>{answer?.refusal ?? refusal}</span>
        </Alert>
        {answer && <Facts answer={answer} />}
      </div>
    )
  }
  return (
    <div className={classes.outcome}>
      <div className={classes.answer}>
        <h3 className={classes.answered}>
          <IconCircleCheck size={16} aria-hidden />
          {text.answered}
        </h3>
        <p className={classes.text} data-empty={answer.text === '' || undefined}>
          {answer.text || text.noText}
        </p>
      </div>
      <Facts answer={answer} />
    </div>
  )
}

function Facts({ answer }: { answer: Answer }) {
  const text = useText(connectText)
  const money = useMoney()
  const { requestId, ms, cost, ok } = answer
  const entries = useQuery(logEntries(requestId, ok))
  return (
    <dl className={classes.facts}>
      <Fact name={text.took}>{formatMs(ms)}</Fact>
      {ok && (
        <Fact name={text.cost}>
          {cost === undefined && text.costUnknown}
          {cost === 0 && text.free}
          {cost !== undefined && cost > 0 && <span title={money.explained(cost)}>{money.quota(cost, 'fine')}</span>}
        </Fact>
      )}
      <Fact name={text.log}>
        {entries.isPending && <Skeleton height={20} width={56} />}
        {entries.isSuccess && (
          <AnchorLink to="/log" search={{ request_id: requestId, request: requestId }} size="sm">
            {text.seeLog}
          </AnchorLink>
        )}
        {entries.isError && text.noLog}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
