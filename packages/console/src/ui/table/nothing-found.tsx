import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { IconSearchOff } from '../layout/icons.tsx'
import { EmptyState } from './empty-state.tsx'

/** A search without results. */
export function NothingFound() {
  const text = useText(commonText)
  return (
    <EmptyState
      icon={<IconSearchOff size={32} stroke={1.5} />}
      title={text.nothingFound}
      help={text.nothingFoundHelp}
    />
  )
}
