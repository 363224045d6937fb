import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { AnchorLink } from '../../../ui/layout/links.tsx'
import { retryTimes } from '../queries.ts'

/** How often a failed call is retried elsewhere, which determines the use of priority and weight. */
export function RetriesNote() {
  const text = useText(channelsText)
  const { data: times } = useQuery(retryTimes)
  if (times === undefined) return null
  return (
    <Text size="sm" c="dimmed">
      {times === 0 ? text.noRetries : text.retries(String(times))}{' '}
      <AnchorLink to="/setting" search={{ tab: 'operation' }} hash="general" size="sm">
        {text.retriesSetting}
      </AnchorLink>
    </Text>
  )
}
