import { RANGE_MAX_DAYS } from '@tollgate/contract'
import { type RangeSearch, rangeProblem } from '../../lib/usage/time-range.ts'
import { rangesText } from '../../text/ranges.ts'
import { useText } from '../../text/text.ts'
import { AddressNote } from '../feedback/address-note.tsx'

/** Why the days shown are not those of the address; nothing when they are. */
export function RangeNote({ search }: { search: RangeSearch }) {
  const text = useText(rangesText)
  const problem = rangeProblem(search)
  return problem && <AddressNote>{text.problems[problem](RANGE_MAX_DAYS)}</AddressNote>
}
