import { Textarea } from '@mantine/core'
import { applyBodyRules, bodyRuleFault } from '@tollgate/contract'
import { useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { type BodyRow, bodyRules } from './rule-rows.ts'
import classes from './rule-table.module.css'

const SAMPLE = {
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'Hello' }],
  temperature: 1,
  user: 'u-1',
}

/** A body before and after the rules, computed by the same function as on the server. */
export function BodyPreview({ type, rows }: { type: number; rows: readonly BodyRow[] }) {
  const text = useText(channelsText)
  const [before, setBefore] = useState(() => JSON.stringify(SAMPLE, null, 2))
  const rules = bodyRules(type, rows)
  if (rules.length === 0) return null
  const after = bodyRuleFault(type, rules) === undefined ? applyBodyRules(before, rules) : before
  return (
    <div className={classes.preview}>
      <Textarea
        label={text.bodyBefore}
        value={before}
        onChange={(event) => setBefore(event.currentTarget.value)}
        {...LOOK}
      />
      <Textarea label={text.bodyAfter} value={printed(after)} readOnly {...LOOK} />
    </div>
  )
}

function printed(body: string) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const LOOK = {
  autosize: true,
  minRows: 6,
  maxRows: 16,
  spellCheck: false,
  styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } },
}
