import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { IconBook2, IconFilterOff } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'

/** Why the list is empty, and the next step: clear the filters, or make a first call. */
export function NoLogs({ filtered, requestId }: { filtered: boolean; requestId: string | undefined }) {
  const text = useText(logsText)
  if (filtered)
    return (
      <EmptyState
        icon={<IconFilterOff size={32} stroke={1.5} />}
        title={requestId === undefined ? text.nothing : text.noSuchRequest}
        help={requestId === undefined ? text.nothingHelp : text.noSuchRequestHelp}
        action={
          <ButtonLink to="/log" variant="default">
            {text.clearFilters}
          </ButtonLink>
        }
      />
    )
  return (
    <EmptyState
      icon={<IconBook2 size={32} stroke={1.5} />}
      title={text.empty}
      help={text.emptyHelp}
      action={<ButtonLink to="/token">{text.emptyAction}</ButtonLink>}
    />
  )
}
