import type { Text } from '@tollgate/contract'

/** One thing that a rule found to be so. */
export interface Finding {
  /** What it is about, as long as it is about the same: an id, or empty where there is only one. */
  subject: string
  title: Text
  /** `time` says a moment in the zone of whoever reads it. */
  lines(time: (atSec: number) => string): readonly Text[]
  /** The screen that shows more. */
  path: string
}

export interface Look {
  /** What its kind makes of the two, `ALERT_KINDS` says; `owner_id` is 0 for the gateway. */
  rule: { owner_id: number; threshold: number; minimum: number }
  /** Subjects that were found before. */
  known: ReadonlySet<string>
  /** Unix seconds. */
  now: number
}

/** Everything that is so at this moment. */
export type Condition = (look: Look) => Promise<Finding[]>
