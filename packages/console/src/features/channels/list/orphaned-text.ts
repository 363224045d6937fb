import type { BulkResult } from '@tollgate/contract'
import { formatExact } from '../../../lib/format/numbers.ts'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channel-list.ts'

const NAMED_MAX = 5

/** Which models lose their last enabled channel in a group; undefined if none. */
export function orphanedText(
  { orphaned, orphaned_count }: Pick<BulkResult, 'orphaned' | 'orphaned_count'>,
  text: Words<typeof zh>,
) {
  if (orphaned_count === 0) return undefined
  const names = orphaned.slice(0, NAMED_MAX).map(({ group, model }) => text.modelOfGroup(model, group))
  return text.orphaned(formatExact(orphaned_count), names.join(text.comma))
}
