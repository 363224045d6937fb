import type { Channel, ModelListNews } from '@tollgate/contract'
import { useContractText } from '../../../text/contract-text.ts'
import { modelListsText } from '../../../text/model-lists.ts'
import { useText } from '../../../text/text.ts'
import { IconLink } from '../../../ui/layout/icon-link.tsx'
import { IconListSearch } from '../../../ui/layout/icons.tsx'

/** A small sign that models came or went at a channel's provider, which leads to them. */
export function ModelListMark({ id, news }: { id: Channel['id']; news: ModelListNews }) {
  const text = useText(modelListsText)
  const say = useContractText()
  const { added, missing, error } = news
  const label = added + missing > 0 || error === null ? text.mark(added, missing) : text.failedBecause(say(error))
  return (
    <IconLink label={label} to="/channel/models" search={{ channel: id }}>
      <IconListSearch size={15} />
    </IconLink>
  )
}
