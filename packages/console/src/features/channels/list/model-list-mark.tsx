import type { Channel, ModelListNews } from '@tollgate/contract'
import { useContractText } from '../../../text/contract-text.ts'
import { modelListsText } from '../../../text/model-lists.ts'
import { useText } from '../../../text/text.ts'
import { IconLink } from '../../../ui/layout/icon-link.tsx'
import { IconListSearch } from '../../../ui/layout/icons.tsx'

/** Marks a channel whose provider's model list changed, with a link to the changes. */
export function ModelListMark({ id, news }: { id: Channel['id']; news: ModelListNews }) {
  const text = useText(modelListsText)
  const inLanguage = useContractText()
  const { added, missing, error } = news
  const label =
    added + missing > 0 || error === null ? text.mark(added, missing) : text.failedBecause(inLanguage(error))
  return (
    <IconLink label={label} to="/channel/models" search={{ channel: id }}>
      <IconListSearch size={15} />
    </IconLink>
  )
}
