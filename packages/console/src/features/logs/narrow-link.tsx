import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { IconLink } from '../../ui/layout/icon-link.tsx'
import { IconFilter } from '../../ui/layout/icons.tsx'
import type { LogSearch } from './log-filter.ts'

interface NarrowLinkProps {
  /** What the entries have in common. */
  name: string
  search: LogSearch
  onLeave: () => void
}

/** From one entry to all with the same user, channel, token or model. */
export function NarrowLink({ name, search, onLeave }: NarrowLinkProps) {
  const { panel } = useText(logsText)
  return (
    <IconLink to="/log" search={search} label={panel.onlyOf(name)} onClick={onLeave}>
      <IconFilter size={14} />
    </IconLink>
  )
}
