import { useQuery } from '@tanstack/react-query'
import { audit } from '@tollgate/contract'
import { call } from '../../api/call.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { IconAlertTriangle } from '../../ui/layout/icons.tsx'
import classes from './banners.module.css'

const FRESH_MS = 5 * 60_000

/** The server audits its ledger itself; a finding is shown until a full audit finds nothing. */
export function LedgerBanner() {
  const text = useText(appText)
  const events = useQuery({
    queryKey: ['audit', 'books'],
    queryFn: () => call(audit.list, { query: { p: 0, target: 'books', noun: 'books', start: 0 } }),
    staleTime: FRESH_MS,
  })
  const newest = events.data?.find(({ target }) => target === 'books')
  if (newest?.action !== 'books.finding') return null
  return (
    <div className={classes.banner} data-tone="bad" role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <span className={classes.text}>
        <strong>{text.booksBroken}</strong>
        <span className={classes.why}>{text.booksBrokenWhy(formatTimestamp(newest.created_at))}</span>
      </span>
    </div>
  )
}
