import type { Text } from '@tollgate/contract'

/** One subject for which a rule fires. */
export interface Finding {
  /** Identifies the subject: an id, or empty when there is only one. */
  subject: string
  title: Text
  /** `time` formats a time in the reader's zone. */
  lines(time: (atSec: number) => string): readonly Text[]
  /** The console page with details. */
  path: string
}

export interface ConditionInput {
  /** `ALERT_KINDS` defines the meaning of threshold and minimum; `owner_id` is 0 for the gateway. */
  rule: { owner_id: number; threshold: number; minimum: number }
  /** Subjects found earlier. */
  known: ReadonlySet<string>
  /** Unix seconds. */
  now: number
}

/** Everything that currently fires. */
export type Condition = (input: ConditionInput) => Promise<Finding[]>
