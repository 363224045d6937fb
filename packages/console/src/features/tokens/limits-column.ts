import type { RateLimits } from '@tollgate/contract'
import { formatNumber } from '../../lib/numbers.ts'
import { isLimited } from '../../lib/rate-limits.ts'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/limits.ts'
import type { Column } from '../../ui/table/data-table-props.ts'

/** The rate limits of a key, shortened. */
export const limitsColumn = (text: Words<typeof zh>): Column<{ rate_limits: RateLimits }> => ({
  key: 'limits',
  title: text.title,
  present: ({ rate_limits }) => isLimited(rate_limits),
  render: ({ rate_limits: { rpm, tpm, concurrency, models } }) => {
    const parts = [
      rpm === undefined ? [] : text.rpmShort(formatNumber(rpm)),
      tpm === undefined ? [] : text.tpmShort(formatNumber(tpm)),
      concurrency === undefined ? [] : text.concurrencyShort(formatNumber(concurrency)),
    ].flat()
    return [...parts, ...(models === undefined ? [] : [text.more])].join(' · ')
  },
})
