import { SegmentedControl } from '@mantine/core'
import { nowSeconds } from '../../lib/format/time.ts'
import { readersZone, readersZoneName } from '../../lib/format/zone.ts'
import { readRange } from '../../lib/usage/time-range.ts'
import { ignoredInView } from '../../lib/usage/usage-search.ts'
import { commonText } from '../../text/common.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { AddressNote } from '../../ui/feedback/address-note.tsx'
import { RangeNote } from '../../ui/inputs/range-note.tsx'
import { RangePicker } from '../../ui/inputs/range-picker.tsx'
import classes from './home-page.module.css'
import type { Home } from './use-home.ts'

/** Whose calls the figures count, and the days and time zone. */
export function ScopeBar({ home: { admin, scope, choose, search, go } }: { home: Home }) {
  const text = useText(homeText)
  const common = useText(commonText)
  const ignored = ignoredInView({ ...search, by: 'time' }, scope === 'gateway')
  const { days, today } = readRange(search, { zone: readersZone(), now: nowSeconds() })
  const counted = scope === 'gateway' ? text.countedGateway : text.countedMine
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
          onChange={(value) => choose(value === 'mine' ? 'mine' : 'gateway')}
        />
      )}
      <RangePicker search={search} today={today} onChoose={go} />
      <p className={classes.counted}>{counted(text.days(days.first, days.last), readersZoneName(days))}</p>
      <RangeNote search={search} />
      {ignored.length > 0 && <AddressNote>{common.addressIgnored(ignored.join(', '))}</AddressNote>}
    </div>
  )
}
