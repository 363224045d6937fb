import type { UserToken } from '@tollgate/contract'
import { recordingRequestsText } from '../../../text/recording-requests.ts'
import { useText } from '../../../text/text.ts'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'

/** Whether the owner still has to answer a request to record, or declined it. */
export function RequestState({ request }: { request: UserToken['recording_request'] }) {
  const text = useText(recordingRequestsText)
  if (request === null) return null
  return <StatusBadge tone={request.declined ? 'off' : 'info'} text={request.declined ? text.declined : text.pending} />
}
