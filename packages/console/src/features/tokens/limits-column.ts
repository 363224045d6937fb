import { amountsInWords } from '../../lib/format/limits-in-words.ts'
import { isLimited, type KeyLimits, limitsOf } from '../../lib/format/rate-limits.ts'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/limits.ts'
import type { Column } from '../../ui/table/data-table-props.ts'

/** The rate limits of a key, shortened. */
export const limitsColumn = (text: Words<typeof zh>): Column<KeyLimits> => ({
  key: 'limits',
  title: text.title,
  present: (key) => isLimited(limitsOf(key)),
  render: (key) => {
    const { models, ...limits } = limitsOf(key)
    return [...amountsInWords(limits, text), ...(models === undefined ? [] : [text.more])].join(' · ')
  },
})
