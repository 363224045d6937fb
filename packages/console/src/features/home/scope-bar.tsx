import { SegmentedControl } from '@mantine/core'
import type { HomeScope } from '../../lib/home-scope.ts'
import { utcOffsetMinutes, zoneName } from '../../lib/time.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import classes from './home-page.module.css'
import { lastDays, readersNow } from './usage-data.ts'

interface ScopeBarProps {
  admin: boolean
  scope: HomeScope
  onChoose: (scope: HomeScope) => void
}

/** Whose calls the figures below count, and which day is today. */
export function ScopeBar({ admin, scope, onChoose }: ScopeBarProps) {
  const text = useText(homeText)
  const today = lastDays(readersNow()).at(-1) ?? ''
  return (
    <div className={classes.scope}>
      {admin && (
        <SegmentedControl
          size="xs"
          aria-label={text.scope}
          value={scope}
          data={[
            { value: 'gateway', label: text.gateway },
            { value: 'mine', label: text.mine },
          ]}
          onChange={(value) => onChoose(value === 'mine' ? 'mine' : 'gateway')}
        />
      )}
      <p className={classes.counted}>
        {(scope === 'gateway' ? text.countedGateway : text.countedMine)(today, zoneName(utcOffsetMinutes()))}
      </p>
    </div>
  )
}
