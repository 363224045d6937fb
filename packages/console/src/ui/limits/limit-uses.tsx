import { Progress } from '@mantine/core'
import { RATE_LIMIT_KINDS, type RateLimitUse } from '@tollgate/contract'
import { formatExact } from '../../lib/format/numbers.ts'
import { limitsText } from '../../text/limits.ts'
import { useText } from '../../text/text.ts'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/limits.ts'
import classes from './limits.module.css'

/** The current use of each limit. */
export function LimitUses({ uses }: { uses: readonly RateLimitUse[] }) {
  const text = useText(limitsText)
  return (
    <ul className={classes.uses}>
      {uses.map((use) => (
        <li key={`${use.scope} ${use.token_id} ${use.model}`}>
          <p className={classes.name}>{titleOf(use, text)}</p>
          <div className={classes.meters}>
            {RATE_LIMIT_KINDS.map((kind) => {
              const meter = use[kind]
              return meter && <Meter key={kind} label={text.kind[kind]} owner={titleOf(use, text)} {...meter} />
            })}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Meter({ label, owner, used, limit }: { label: string; owner: string; used: number; limit: number }) {
  const text = useText(limitsText)
  const share = Math.min(100, (100 * used) / limit)
  return (
    <div className={classes.meter}>
      <p>
        <span>{label}</span>
        {text.use(formatExact(used), formatExact(limit))}
      </p>
      <Progress size="sm" value={share} color={share >= 100 ? 'red' : 'teal'} aria-label={`${owner} ${label}`} />
    </div>
  )
}

function titleOf({ scope, together, name, model }: RateLimitUse, text: Words<typeof zh>) {
  const owner = {
    user: text.ofAccount,
    group: together ? text.ofWholeGroup(name) : text.ofGroup(name),
    key: text.ofKey(name),
  }[scope]
  return model === '' ? owner : text.forModel(owner, model)
}
